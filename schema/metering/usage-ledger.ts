import { balanceById } from '#domain/metering/commands/usage-balances/read-balances.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { accounts, ledgerTransactionTypes } from '#domain/model/metering/accounts.ts';
import { LedgerTransaction } from '#domain/model/metering/ledger-transaction.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { id, of, time } from '../engine/fields.ts';
import { listField } from '../engine/lists.ts';
import { withOptionalId } from '../engine/reference.ts';
import { nodeId } from '../engine/type-names.ts';
import { record } from '../engine/types.ts';
import { byEnum, byId } from '../engine/where.ts';
import { UsageMeterBalance } from './usage-balances.ts';

const LedgerTransactionType = builder.enumType('LedgerTransactionType', {
  description: 'The type of a ledger transaction.',
  values: described(ledgerTransactionTypes, {
    usage_recorded: 'Usage was recorded.',
    usage_voided: 'Usage was voided or replaced.',
    credit_granted: 'Credits were granted.',
    credit_applied: 'Credits covered usage.',
    credit_expired: 'Unused credits expired.',
    usage_billed: 'Uncovered usage was billed or credited on an invoice.',
  }),
});

record(LedgerTransaction, {
  description: 'The entries of one transaction in the accounts of a ledger; their sum is always 0.',
  interfaces: [],
  fields: (t) => ({
    createdAt: time('The time of the transaction.'),
    balanceId: id('The ledger.'),
    balance: t.field({
      type: UsageMeterBalance,
      nullable: true,
      description: 'The ledger with its present balance.',
      resolve: ({ balanceId }, _args, session) => balanceById(session, balanceId),
    }),
    type: of(LedgerTransactionType, 'The type of the transaction.'),
    sourceId: id(
      'The source: the first of the usage events that were recorded together, a credit or a line item.',
    ),
    source: t.node({
      id: ({ sourceId }, _args, session) => nodeId(sourceId, session),
      description: 'The usage event, usage credit or invoice that caused the transaction.',
    }),
    ...withOptionalId('billingPeriod', BillingPeriod, 'The billing period.'),
    ...withOptionalId('price', Price, 'The price of the usage.'),
    ...Object.fromEntries(
      accounts.map((account) => [
        account,
        t.expose(account, {
          type: 'Decimal',
          description: `The entry in the account \`${account}\`.`,
        }),
      ]),
    ),
  }),
});

listField({
  many: 'ledgerTransactions',
  name: 'LedgerTransaction',
  noun: 'ledger transaction',
  entity: LedgerTransaction,
  where: {
    balance: byId('balance', 'The ledger.'),
    type: byEnum(LedgerTransactionType, 'type', 'The type.'),
    billingPeriod: byId('billingPeriodId', 'The billing period.'),
    price: byId('priceId', 'The price of the usage.'),
    source: byId('sourceId', 'The source: a usage event, a credit or a line item.'),
  },
});
