// biome-ignore-all lint/performance/noBarrelFile: the entry of a package names what it contains
export {
  type Answer,
  type Connection,
  type ConnectionOptions,
  connect,
  type OperationOptions,
} from './connect.ts';
export { type Issue, TollgateError } from './errors.ts';
export type { FeedState } from './follow.ts';
export { type FeedEvent, type FeedOptions, followFeed } from './follow-feed.ts';
export { liveField } from './live-field.ts';
export { type LiveResult, liveQuery, type Topics } from './live-query.ts';
