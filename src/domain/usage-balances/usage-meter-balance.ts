import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { tenantColumns } from '#domain/kernel/columns.ts';
import { decimalText, unitsOf } from '#domain/kernel/decimal.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { accounts } from './accounts.ts';

const amount = () => p.decimal('string').columnType('numeric').default('0');

const UsageMeterBalanceSchema = defineEntity({
  name: 'UsageMeterBalance',
  uniques: [{ name: 'usage_meter_balance_unique', properties: ['subscription', 'usageMeter'] }],
  indexes: [
    {
      name: 'usage_meter_balance_page',
      properties: ['pricingModelId', 'createdAt', 'position', 'id'],
    },
    { name: 'usage_meter_balance_customer', properties: ['customerId'] },
  ],
  checks: [
    { name: 'usage_meter_balance_zero', expression: `${accounts.join(' + ')} = 0` },
    { name: 'usage_meter_balance_credits', expression: 'credits >= 0' },
  ],
  properties: {
    ...tenantColumns('la'),
    subscription: () => p.manyToOne(Subscription).ref().deleteRule('cascade'),
    usageMeter: () => p.manyToOne(UsageMeter).ref().deleteRule('restrict').index(),
    customerId: p.string(),
    /** All that was ever used, less what was taken back. */
    usage: amount(),
    /** What is left of the credits. */
    credits: amount(),
    /** What was used without credits and has not been billed; below 0 while there is any. */
    overage: amount(),
    /** All credits that were ever given, as a negative number. */
    granted: amount(),
    /** The credits that ran out unused. */
    expired: amount(),
    /** The usage that stands on invoices, as a negative number. */
    billed: amount(),
  },
});

/**
 * How a subscription stands with a usage meter: the sums of its ledger by account, kept in the transactions
 * that write the ledger. Together they are zero.
 */
export class UsageMeterBalance extends UsageMeterBalanceSchema.class {
  get subscriptionId(): Opt<string> {
    return this.subscription.id;
  }

  get usageMeterId(): Opt<string> {
    return this.usageMeter.id;
  }

  /** Credits less usage that is neither covered nor billed, where no credit has run out since. */
  get recorded(): Opt<string> {
    return decimalText(unitsOf(this.credits) + unitsOf(this.overage));
  }
}
UsageMeterBalanceSchema.setClass(UsageMeterBalance);
