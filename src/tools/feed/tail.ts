import type { Terminal } from '../terminal.ts';
import { printable } from '../text-table.ts';
import type { FollowedFeed, TailArguments } from './arguments.ts';
import { type FeedEvent, followFeed } from './follow-feed.ts';

/** Prints the events of a feed as they happen. Errors: UserError. */
export async function tail({ feed, json }: TailArguments, terminal: Terminal) {
  for await (const event of told(feed, terminal)) {
    terminal.print(json ? `${JSON.stringify(event)}\n` : `${lineOf(event)}\n`);
  }
}

/** The events of a feed, with what happens to the connection on standard error. Errors: UserError. */
export async function* told(feed: FollowedFeed, { tell, stop }: Terminal) {
  let last = feed.after;
  const events = followFeed(feed, stop(), {
    onOpen: () => tell(`Following ${feed.url.origin}\n`),
    onLost: (why) => tell(`${feed.url.origin}: ${why}. Trying again\n`),
  });
  for await (const event of events) {
    last = event.sequence;
    yield event;
  }
  if (last !== undefined) tell(`--after ${last} continues\n`);
}

const lineOf = ({ sequence, type, objectId, data }: FeedEvent) =>
  printable(`${sequence} ${type} ${objectId} ${JSON.stringify(data)}`);
