import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex, sortIndex } from '#domain/kernel/lists/list-indexes.ts';
import { UsageMeterBalance } from './usage-meter-balance.ts';

/** The sources of credits. */
export const usageCreditSources = ['feature', 'add_feature', 'manual'] as const;

const amount = () => p.decimal('string').columnType('numeric');

const UsageCreditSchema = defineEntity({
  name: 'UsageCredit',
  uniques: [
    // A feature grants its credits once a period, or once at all.
    {
      name: 'usage_credit_once',
      properties: ['sourceId', 'source', 'billingPeriodId'],
      where: { sourceId: { $ne: null } },
    },
  ],
  indexes: [
    {
      name: 'usage_credit_subscription',
      properties: ['subscriptionId', 'createdAt', 'position', 'id'],
    },
    { name: 'usage_credit_customer', properties: ['customerId', 'createdAt', 'position', 'id'] },
    pageIndex('usage_credit'),
    sortIndex(
      'usage_credit',
      'usage_credit_expiry',
      `coalesce(expires_at, 'infinity'::timestamptz)`,
    ),
    {
      name: 'usage_credit_purchase',
      properties: ['purchaseId'],
      where: { purchaseId: { $ne: null } },
    },
    { name: 'usage_credit_balance', properties: ['balance', 'expiresAt'] },
    {
      name: 'usage_credit_expiring',
      properties: ['expiresAt'],
      where: { remaining: { $gt: 0 }, expiresAt: { $ne: null } },
    },
  ],
  checks: checksOf({
    usage_credit_range:
      'amount > 0 and remaining >= 0 and expired >= 0 and remaining + expired <= amount',
    usage_credit_rollover: `rolled_over >= 0 and not_rolled_over >= 0 and not_rolled_over <= expired and rolled_over <= coalesce(rollover_limit, amount)
        and (rolled_into is null and rollover_limit is null or rollover_periods is not null) and rollover_periods >= 0
        and (rolled_into is not null or rolled_over + not_rolled_over = 0)`,
  }),
  properties: {
    ...tenantColumns('usage_credit'),
    balance: () => p.manyToOne(UsageMeterBalance).ref().deleteRule('cascade').hidden(),
    subscriptionId: p.string(),
    usageMeterId: p.string(),
    customerId: p.string(),
    /** The granted units. */
    amount: amount(),
    /** The remaining units. */
    remaining: amount(),
    /** The units that expired unused. */
    expired: amount(),
    /** The instant from which it cannot be used; null for never. */
    expiresAt: instant().nullable(),
    /** Lower ones are used first. */
    priority: p.integer().default(50),
    source: p.enum(usageCreditSources),
    /** The feature of a subscription item that granted it. */
    sourceId: p.string().nullable(),
    /** The period for which it was granted; the empty text for a one-time grant. */
    billingPeriodId: p.string(),
    reason: p.text().nullable(),
    /** The ends of periods that it may still cross; null where it does not roll over. */
    rolloverPeriods: p.integer().nullable(),
    /** The most units that the end of its period leaves; null for all. */
    rolloverLimit: amount().nullable(),
    /** The period into which it has rolled over last; null before. */
    rolledInto: p.string().nullable().hidden(),
    /** The units that the end of its period has left. */
    rolledOver: amount().default('0'),
    /** The units beyond the limit, which expired with its period. */
    notRolledOver: amount().default('0'),
    /** The purchase of a product that is bought once, which granted it; null for other credits. */
    purchaseId: p.string().nullable().hidden(),
  },
});

/** An amount of usage that is covered before usage is charged. */
export class UsageCredit extends UsageCreditSchema.class {
  get balanceId(): Opt<string> {
    return this.balance.id;
  }
}
UsageCreditSchema.setClass(UsageCredit);
