import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { accounts } from './accounts.ts';

const amount = () => p.decimal('string').columnType('numeric').default('0');

const UsageMeterBalanceSchema = defineEntity({
  name: 'UsageMeterBalance',
  uniques: [{ name: 'usage_meter_balance_unique', properties: ['subscription', 'usageMeter'] }],
  indexes: [
    pageIndex('usage_meter_balance'),
    { name: 'usage_meter_balance_customer', properties: ['customerId'] },
  ],
  checks: checksOf({
    usage_meter_balance_zero: `${accounts.join(' + ')} = 0`,
    usage_meter_balance_credits: 'credits >= 0',
  }),
  properties: {
    ...tenantColumns('la'),
    subscription: () => p.manyToOne(Subscription).ref().deleteRule('cascade'),
    usageMeter: () => p.manyToOne(UsageMeter).ref().deleteRule('restrict').index(),
    customerId: p.string(),
    /** All usage so far without voided usage. */
    usage: amount(),
    /** The remaining units of the credits. */
    credits: amount(),
    /** Usage without credits that is not billed; below 0 while there is any. */
    overage: amount(),
    /** All credits that were ever granted, as a negative number. */
    granted: amount(),
    /** The credits that ran out unused. */
    expired: amount(),
    /** The usage on invoices, as a negative number. */
    billed: amount(),
  },
});

/**
 * The balance of a subscription on a usage meter: the sums of its ledger by account. Every transaction that writes
 * the ledger updates it. Together the accounts sum to 0.
 */
export class UsageMeterBalance extends UsageMeterBalanceSchema.class {
  get subscriptionId(): Opt<string> {
    return this.subscription.id;
  }

  get usageMeterId(): Opt<string> {
    return this.usageMeter.id;
  }

  /** Credits less usage that is neither covered nor billed; exact as long as no credit has run out since. */
  get recorded(): Opt<string> {
    return decimalText(unitsOf(this.credits) + unitsOf(this.overage));
  }
}
UsageMeterBalanceSchema.setClass(UsageMeterBalance);
