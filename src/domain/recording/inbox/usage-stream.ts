import { DomainError } from '#domain/kernel/errors.ts';
import type { UsageEventInput } from '#domain/recording/usage-event-input.ts';
import { ownerHash, type Tenant } from './inbox-part.ts';

/** The events of one call on their way into the inbox. */
export interface AcceptedCall extends Tenant {
  readonly position: string;
  readonly acceptedAt: Date;
  /** JSON. */
  readonly origin: string;
  readonly events: readonly UsageEventInput[];
}

/** A place in a partition: all messages up to `sequence` of the stream with the name. */
export interface StreamPlace {
  /** The name of the stream with the instant of its creation: a new stream counts from 1 again. */
  readonly stream: string;
  readonly sequence: number;
}

/** A replicated log outside of the database, which accepts usage. Errors of both: SERVICE_UNAVAILABLE. */
export interface UsageStream {
  /**
   * Appends calls to a partition: they are durable when it returns. Returns the calls that are larger than a message,
   * which it leaves out.
   */
  append(partition: number, calls: readonly AcceptedCall[]): Promise<readonly AcceptedCall[]>;
  /** A place behind all calls that were appended to the partition before, by any process. */
  end(partition: number): Promise<StreamPlace>;
}

/** Each partition is a stream of its own, so that they wait for disks at the same time. */
export const partitionCount = 4;

/** The partition of a pricing model: a call is in one message of it, so that it is accepted as a whole. */
export const partitionOf = ({ pricingModelId }: Pick<Tenant, 'pricingModelId'>) =>
  ownerHash(pricingModelId) & (partitionCount - 1);

/** Like the address of the service, the stream is a setting of the process. */
let inUse: UsageStream | undefined;

/** Sets the stream of this process, once, before it serves; undefined for none. */
export function useUsageStream(stream: UsageStream | undefined) {
  inUse = stream;
}

/** The stream of this process, if it has one. */
export const usageStream = (): UsageStream | undefined => inUse;

/** The refusal of a call while the stream, or the usage in it, cannot be reached. */
export const streamUnavailable = (message: string, cause?: unknown) =>
  new DomainError('SERVICE_UNAVAILABLE', message, { retryAfter: 5, cause });
