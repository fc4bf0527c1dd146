import type { Actor } from '#domain/kernel/session.ts';
import type { UnitCause } from '#domain/kernel/unit-cause.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import type { lockUsageSubscriptions } from './lock-usage-subscriptions.ts';
import type { ResolvedEvent } from './resolve-usage-events.ts';
import type { UsageEventInput } from './usage-event-input.ts';
import type { UsageKind } from './usage-kind.ts';
import type { VoidedEvent } from './void-event.ts';

/** The events of one request, and their places in it. */
export interface Call {
  readonly events: readonly UsageEventInput[];
  /** The path of an event in the request, for its errors. */
  readonly pathOf: (index: number) => readonly (string | number)[];
  readonly isBulk: boolean;
  /** For usage that was accepted earlier: when; an event without a time of use was used then. */
  readonly acceptedAt?: Date;
  /** For a replacing event: when the first of the replaced ones was recorded. */
  readonly firstRecordedAt?: Date;
  /** The event that it replaces, of the same period, which has just been voided. */
  readonly replaces?: VoidedEvent;
  readonly causeId?: string | undefined;
  readonly actor?: Actor;
  readonly cause?: UnitCause;
}

/** An event to be inserted, with its origin. */
export interface Row {
  readonly event: UsageEvent;
  readonly resolved: ResolvedEvent;
  readonly period: ReturnType<NonNullable<LockedUse>['periodAt']>;
  readonly kind: UsageKind;
  readonly call: number;
  readonly index: number;
  /** The event that it replaces. */
  readonly replaces?: VoidedEvent | undefined;
}

export type LockedUse =
  Awaited<ReturnType<typeof lockUsageSubscriptions>> extends Map<string, infer T> ? T : never;
