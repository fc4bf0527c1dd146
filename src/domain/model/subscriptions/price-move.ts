import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Price } from '#domain/model/catalog/price.ts';

/** When each subscriber gets the new price. */
export const moveTimings = ['immediately', 'at_end_of_current_billing_period'] as const;

export const moveStatuses = ['running', 'stopped', 'completed'] as const;

/** A subscription that could not be moved. */
export interface MoveFailure {
  readonly subscriptionId: string;
  /** The reason of the refusal, with the next step. */
  readonly reason: string;
}

/** The largest number of failures that a move lists; it counts all. */
export const mostFailures = 100;

const PriceMoveSchema = defineEntity({
  name: 'PriceMove',
  indexes: [pageIndex('price_move')],
  uniques: [
    {
      name: 'price_move_running_unique',
      properties: ['fromPrice'],
      where: { status: 'running' },
    },
  ],
  checks: checksOf({
    price_move_prices: 'from_price_id <> to_price_id',
    price_move_counts: 'moved_count >= 0 and failed_count >= 0',
    price_move_finished: `(status = 'running') = (finished_at is null)`,
  }),
  properties: {
    ...tenantColumns('price_move'),
    fromPrice: () => p.manyToOne(Price).ref().deleteRule('restrict'),
    toPrice: () => p.manyToOne(Price).ref().deleteRule('restrict').index(),
    timing: p.enum(moveTimings),
    /** Whether an immediate move charges or credits the rest of the period. */
    prorate: p.boolean(),
    /** Whether items with a negotiated price keep it. */
    keepNegotiatedPrices: p.boolean(),
    status: p.enum(moveStatuses).default('running'),
    /** How many subscriptions had the price, or a planned phase with it, when the move began. */
    subscriptionCount: p.integer(),
    movedCount: p.integer().default(0),
    failedCount: p.integer().default(0),
    failures: p.json<MoveFailure[]>().defaultRaw(`'[]'`).hidden(),
    /** When a subscription was last done, or its numbers were emitted. */
    progressedAt: instant().nullable(),
    /** Until when a running move waits after an error, and the reason. */
    retryAt: instant().nullable(),
    problem: p.text().nullable(),
    finishedAt: instant().nullable(),
    /** The last subscription, in the order of ids, that is done. */
    cursor: p.string().nullable().hidden(),
    /** The subscription that is being moved; after a crash it is examined again. */
    movingId: p.string().nullable().hidden(),
    /** How often that one has been tried. */
    movingTries: p.integer().default(0).hidden(),
    /** The run of the job that works on it, and until when no other one may. */
    leaseHolder: p.string().nullable().hidden(),
    leaseUntil: instant().nullable().hidden(),
  },
});

/** The move of all subscribers of a price to another one, as a job with progress. */
export class PriceMove extends PriceMoveSchema.class implements EmitsEvents {
  get fromPriceId(): Opt<string> {
    return this.fromPrice.id;
  }

  get toPriceId(): Opt<string> {
    return this.toPrice.id;
  }

  /** Ends a running move; one that has ended keeps its state. */
  finish(status: 'stopped' | 'completed', now: Date) {
    if (this.status !== 'running') return;
    this.status = status;
    this.finishedAt = now;
    this.progressedAt = now;
    this.retryAt = null;
    this.problem = null;
  }

  verbFor() {
    return undefined;
  }
}
PriceMoveSchema.setClass(PriceMove);
