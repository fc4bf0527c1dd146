import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Subscription } from './subscription.ts';

export const subscriptionPhaseStatuses = [
  'planned',
  'started',
  'skipped',
  'failed',
  'canceled',
] as const;

/** When a phase starts: with the first billing period from its start on, or at its start within a period. */
export const phaseTimings = ['with_period', 'at_date'] as const;

/** An item of a phase. */
export interface PhaseItem {
  readonly priceId: string;
  readonly quantity: number;
  /** Minor units; absent for that of the price, or of the present item. */
  readonly unitPrice?: number;
  /** An exact text; null for none, absent for that of the present item. */
  readonly discountPercentage?: string | null;
  readonly name?: string;
  /** Whether its price may be one that is not sold any more: another system has agreed on it. */
  readonly keepsRetired?: boolean;
}

const SubscriptionPhaseSchema = defineEntity({
  name: 'SubscriptionPhase',
  uniques: [
    {
      name: 'subscription_phase_planned_unique',
      properties: ['subscription', 'startsAt'],
      where: { status: 'planned' },
    },
  ],
  indexes: [
    pageIndex('subscription_phase'),
    { name: 'subscription_phase_customer', properties: ['customerId', 'createdAt'] },
    { name: 'subscription_phase_subscription', properties: ['subscription', 'startsAt'] },
  ],
  checks: checksOf({
    subscription_phase_started: `(status = 'started') = (started_at is not null) and (status = 'failed') = (problem is not null)`,
  }),
  properties: {
    ...tenantColumns('phase'),
    subscription: () => p.manyToOne(Subscription).ref().deleteRule('cascade'),
    customerId: p.string(),
    /** Its planned start. */
    startsAt: instant(),
    timing: p.enum(phaseTimings).default('with_period'),
    /** All items of the plan from then on. */
    items: p.json<readonly PhaseItem[]>(),
    status: p.enum(subscriptionPhaseStatuses).default('planned'),
    /** When its items were applied: a boundary, or its planned start; null until then. */
    startedAt: instant().nullable(),
    /** Why its items could not be applied; null unless it has failed. */
    problem: p.text().nullable(),
  },
});

/** Items that a subscription has from a later instant on. */
export class SubscriptionPhase extends SubscriptionPhaseSchema.class implements EmitsEvents {
  get subscriptionId(): Opt<string> {
    return this.subscription.id;
  }

  start(at: Date) {
    this.status = 'started';
    this.startedAt = at;
  }

  fail(problem: string) {
    this.status = 'failed';
    this.problem = problem;
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('status') && this.status !== 'planned' ? this.status : undefined;
  }
}
SubscriptionPhaseSchema.setClass(SubscriptionPhase);
