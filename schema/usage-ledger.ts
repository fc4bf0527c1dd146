import { page } from '#domain/kernel/page.ts';
import { accounts, ledgerTransactionTypes } from '#domain/usage-balances/accounts.ts';
import { LedgerTransaction } from '#domain/usage-balances/ledger-transaction.ts';
import { builder } from './engine/builder.ts';
import { ListOrder } from './engine/connection.ts';

const LedgerTransactionType = builder.enumType('LedgerTransactionType', {
  description: 'What a ledger transaction is about.',
  values: ledgerTransactionTypes,
});

builder.node(LedgerTransaction, {
  name: 'LedgerTransaction',
  description: 'What one event adds to the accounts of a ledger; the sum is always 0.',
  id: { resolve: ({ id }) => id, description: '`ledger_transaction_…`' },
  loadOne: (id, { em }) => em.findOne(LedgerTransaction, id),
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was written.' }),
    balanceId: t.exposeID('balanceId', { description: 'The ledger.' }),
    type: t.expose('type', { type: LedgerTransactionType, description: 'What it is about.' }),
    sourceId: t.exposeID('sourceId', {
      description: 'What it comes from: the first usage event of a call, a credit or a line item.',
    }),
    billingPeriodId: t.exposeID('billingPeriodId', {
      nullable: true,
      description: 'The period that it is of.',
    }),
    priceId: t.exposeID('priceId', { nullable: true, description: 'The price of the usage.' }),
    ...Object.fromEntries(
      accounts.map((account) => [
        account,
        t.expose(account, { type: 'Decimal', description: `What it adds to ${account}.` }),
      ]),
    ),
  }),
});

const LedgerFilter = builder.inputType('LedgerTransactionFilter', {
  description: 'Which ledger transactions to list.',
  fields: (t) => ({
    balance: t.id({ description: 'Of the ledger with this id.' }),
    type: t.field({ type: LedgerTransactionType, description: 'About this.' }),
    billingPeriodId: t.id({ description: 'Of the billing period with this id.' }),
  }),
});

builder.queryField('ledgerTransactions', (t) =>
  t.connection(
    {
      type: LedgerTransaction as never,
      description:
        'All that was ever added to ledgers, oldest first. Errors: BAD_REQUEST for a bad size or cursor.',
      args: {
        filter: t.arg({ type: LedgerFilter, description: 'Only those that equal all of these.' }),
        orderBy: t.arg({ type: ListOrder, description: 'created_at_asc when absent.' }),
      },
      resolve: (_root, { filter, ...args }, session) => {
        const given = Object.entries(filter ?? {}).filter(([, value]) => value != null);
        const where = given.length > 0 ? Object.fromEntries(given) : undefined;
        return page(session, LedgerTransaction, { ...args, filter: where }) as never;
      },
    },
    { name: 'LedgerTransactionConnection', description: 'A page of ledger transactions.' },
    {
      name: 'LedgerTransactionEdge',
      description: 'A ledger transaction and its place in the list.',
    },
  ),
);
