/** Under which type and id the feed shows a record. */
export interface ShownAs {
  readonly objectType: string;
  readonly objectId: string;
}

/** What a record may say of its own changes. */
export interface EmitsEvents {
  /** Under which name the feed shows it, where that is not its own. */
  shownAs?(): ShownAs;
  /** The verb of the event, where a change is more than `updated`. */
  verbFor(changed: ReadonlySet<string>): string | undefined;
  /** What its event shows beside its columns; what it says makes any change news. */
  further?(): Readonly<Record<string, unknown>>;
}
