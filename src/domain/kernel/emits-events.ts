/** The type and id under which the feed shows a record. */
export interface ShownAs {
  readonly objectType: string;
  readonly objectId: string;
}

/** Optional methods with which a record shapes its own events. */
export interface EmitsEvents {
  /** The name under which the feed shows it, where that is not its own. */
  shownAs?(): ShownAs;
  /** The verb of the event, where a change is more than `updated`. */
  verbFor(changed: ReadonlySet<string>): string | undefined;
  /** The type of the event of its creation, where that is not the name and `created`. */
  createdType?(): string | undefined;
  /** Former values of columns that a statement has changed without an event; this event tells of them. */
  untold?(): Readonly<Record<string, unknown>>;
  /** Fields of its event besides its columns; a result makes every change an event. */
  further?(): Readonly<Record<string, unknown>>;
}
