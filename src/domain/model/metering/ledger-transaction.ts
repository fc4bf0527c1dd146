import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, positionColumn } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { accounts, ledgerTransactionTypes } from './accounts.ts';
import { UsageMeterBalance } from './usage-meter-balance.ts';

const amount = () => p.decimal('string').columnType('numeric').default('0');

const LedgerTransactionSchema = defineEntity({
  name: 'LedgerTransaction',
  indexes: [
    pageIndex('ledger_transaction'),
    { name: 'ledger_transaction_balance', properties: ['balance', 'createdAt', 'position', 'id'] },
  ],
  checks: checksOf({
    ledger_transaction_zero: `${accounts.join(' + ')} = 0`,
  }),
  properties: {
    id: p.string().primary(),
    position: positionColumn(),
    createdAt: instant(),
    livemode: p.boolean(),
    organizationId: p.string(),
    pricingModelId: p.string(),
    balance: () => p.manyToOne(UsageMeterBalance).ref().deleteRule('cascade'),
    type: p.enum(ledgerTransactionTypes),
    /** Its source: a usage event (the first of its call), a credit or an invoice. */
    sourceId: p.string(),
    billingPeriodId: p.string().nullable(),
    priceId: p.string().nullable(),
    usage: amount(),
    credits: amount(),
    overage: amount(),
    granted: amount(),
    expired: amount(),
    billed: amount(),
  },
});

/**
 * One transaction of a ledger, with the change of each account. The entries sum to 0. The database enforces that, and
 * that the transaction does not change as long as its balance exists.
 */
export class LedgerTransaction extends LedgerTransactionSchema.class {
  get balanceId(): Opt<string> {
    return this.balance.id;
  }
}
LedgerTransactionSchema.setClass(LedgerTransaction);
