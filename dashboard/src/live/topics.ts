import type { FeedEvent } from '@tollgate/client/feed';

/** The records that a part of a page shows, to know which events concern it. */
export interface Topics {
  /** The beginnings of event types, such as `invoice`; all types when absent. */
  readonly kinds?: readonly string[];
  /** The customer whose events concern it; those of all when absent. */
  readonly customerId?: string | undefined;
}

/** Whether an event concerns a part of a page. */
export const concerns = ({ kinds, customerId }: Topics, event: FeedEvent) =>
  (!kinds || kinds.some((kind) => event.type.startsWith(`${kind}.`))) &&
  (!customerId || event.customerId === customerId || event.objectId === customerId);
