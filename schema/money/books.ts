import { BookDifference } from '#domain/model/money/book-difference.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import {
  agree,
  type Books,
  equationOf,
  readBooks,
} from '#domain/money/commands/books/read-books.ts';
import { builder } from '../engine/builder.ts';
import { nullable, safeInt, text } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { withId } from '../engine/reference.ts';
import { object, record } from '../engine/types.ts';
import { byAmount, byId, byText, byTime } from '../engine/where.ts';

const sums = {
  invoices: 'The invoices that are neither drafts nor void.',
  creditNotes: 'The settled credit notes of these invoices, without what a later invoice sets off.',
  opening: 'Credit that the customer got before there were credit notes; 0 for later customers.',
  prepaid: 'The prepaid credit that was granted, without what expired or was revoked.',
  payments: 'The payments that succeeded.',
  refunds: 'The refunds that succeeded.',
  outstanding: 'The amount that is still to be paid.',
  balances: 'The credit balance and the prepaid balance as a debt to the customer: 0 or less.',
  difference: 'The amount by which the two sides differ; 0 if the books agree.',
  prepaidDifference:
    'The amounts by which the prepaid balance, prepaid credits and invoices differ; 0 if they agree.',
} as const;

const BooksOfCustomer = object<Books>('Books')({
  description:
    'The books of a customer in one currency, in minor units: invoices - creditNotes - opening - prepaid - payments + refunds = outstanding + balances.',
  fields: (t) => ({
    ...withId('customer', Customer, 'The customer.'),
    currency: text('The currency, an ISO 4217 code.'),
    ...(Object.fromEntries(
      Object.entries(sums).map(([name, description]) => [
        name,
        t.expose(name as keyof typeof sums, { type: 'SafeInt', description }),
      ]),
    ) as Record<string, never>),
    agree: t.boolean({
      description: 'Whether the books agree.',
      resolve: (books) => agree(books),
    }),
    equation: t.string({
      description: 'The equation with its numbers.',
      resolve: (books) => equationOf(books),
    }),
  }),
});

builder.queryField('books', (t) =>
  t.field({
    type: [BooksOfCustomer],
    description: 'The books of a customer, one for each currency. Errors: NOT_FOUND.',
    args: {
      customerId: t.arg.id({ required: true, description: 'The id of the customer.' }),
      currency: t.arg.string({ description: 'Only this currency, an ISO 4217 code.' }),
    },
    resolve: (_root, args, session) => readBooks(session, args),
  }),
);

record(BookDifference, {
  description: 'Books of a customer that do not agree, as the nightly check found them.',
  fields: () => ({
    ...withId('customer', Customer, 'The customer.'),
    currency: text('The currency, an ISO 4217 code.'),
    difference: safeInt(sums.difference),
    prepaidDifference: safeInt(sums.prepaidDifference),
    resolvedAt: nullable.time('When a check found that the books agree again.'),
  }),
});

readable({
  one: 'bookDifference',
  many: 'bookDifferences',
  noun: 'book difference',
  entity: BookDifference,
  where: {
    customer: byId('customer', 'The customer.'),
    currency: byText('currency', 'The currency, in upper case.'),
    difference: byAmount('difference', 'The difference, in minor units.'),
    resolvedAt: byTime('resolvedAt', 'When the books agreed again.'),
  },
});
