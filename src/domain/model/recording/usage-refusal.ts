import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';

/** An event that was not counted, with the reasons. */
export interface RefusedUsage {
  /** The event as it was reported. */
  readonly event: Record<string, unknown>;
  readonly issues: readonly {
    readonly code: string;
    readonly path: readonly (string | number)[];
    readonly message: string;
  }[];
}

const UsageRefusalSchema = defineEntity({
  name: 'UsageRefusal',
  indexes: [
    pageIndex('usage_refusal'),
    { name: 'usage_refusal_acceptance', properties: ['pricingModelId', 'acceptanceId'] },
  ],
  checks: checksOf({
    usage_refusal_count: 'count > 0',
  }),
  properties: {
    ...tenantColumns('usage_refusal'),
    /** The position that the call was answered with. */
    acceptanceId: p.string(),
    acceptedAt: instant(),
    /** How many events it has. */
    count: p.integer(),
    events: p.json<RefusedUsage[]>().hidden(),
  },
});

/** Accepted usage that was refused when it was to be counted. */
export class UsageRefusal extends UsageRefusalSchema.class implements EmitsEvents {
  verbFor() {
    return undefined;
  }
}
UsageRefusalSchema.setClass(UsageRefusal);
