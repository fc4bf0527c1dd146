import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import {
  PrepaidCredit,
  prepaidCreditSources,
  prepaidCreditStatuses,
} from '#domain/model/money/prepaid-credit.ts';
import { PrepaidCreditUse } from '#domain/model/money/prepaid-credit-use.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { atMostBelow, upToMost } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, int, nullable, of, safeInt, text } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { reference, withId, withOptionalId } from '../engine/reference.ts';
import { object, record } from '../engine/types.ts';
import { byAmount, byEnum, byId, byPresence, byTime } from '../engine/where.ts';

const PrepaidCreditSource = builder.enumType('PrepaidCreditSource', {
  description: 'The source of prepaid credit.',
  values: described(prepaidCreditSources, {
    purchase: 'The customer has bought it.',
    gift: 'It was given to the customer.',
    top_up: 'A prepaid top-up has bought it.',
  }),
});

const PrepaidCreditStatus = builder.enumType('PrepaidCreditStatus', {
  description: 'Whether prepaid credit pays invoices.',
  values: described(prepaidCreditStatuses, {
    pending: 'Its invoice is not paid yet.',
    active: 'It pays invoices.',
    ended: 'Nothing remains of it.',
    void: 'Its invoice became void or uncollectible before it was paid.',
  }),
});

const PrepaidCreditUseRef = object<PrepaidCreditUse>('PrepaidCreditUse')({
  description: 'The part of an invoice that a prepaid credit pays.',
  fields: (t) => ({
    prepaidCreditId: t.exposeID('creditId', { description: 'The prepaid credit.' }),
    prepaidCredit: reference(PrepaidCredit, 'creditId', 'The prepaid credit.'),
    ...withId('invoice', Invoice, 'The invoice.'),
    amount: safeInt('The amount that it pays of the invoice, in minor units.'),
    returned: safeInt('The part of it that credit notes have returned to the credit.'),
  }),
});

const usesOf =
  (by: 'credit' | 'invoice') =>
  async ({ id }: { readonly id: string }, _args: object, session: Session) => {
    const uses = await batched(session, `prepaid uses by ${by}`, id, async ({ em }, ids) => {
      const of = { [by]: { $in: [...ids] }, amount: { $gt: 0 } };
      const found = await em.find(PrepaidCreditUse, of, { orderBy: { invoice: 'asc' } });
      return Map.groupBy(found, (use) => (by === 'credit' ? use.creditId : use.invoiceId));
    });
    return upToMost(uses ?? []);
  };

const invoiceText = 'The invoice that buys it; null for a gift.';

record(PrepaidCredit, {
  description:
    'Money of a customer that was paid or given in advance, and pays its invoices. Amounts are in minor units of the currency.',
  fields: (t) => ({
    ...withId('customer', Customer, 'The customer.'),
    source: of(PrepaidCreditSource, 'The source.'),
    boughtByCustomer: flag('Whether the customer has bought it itself.'),
    status: of(PrepaidCreditStatus, 'Whether it pays invoices.'),
    currency: text('The currency, an ISO 4217 code in upper case.'),
    amount: safeInt('The bought or given amount.'),
    remaining: safeInt('The amount that can still pay invoices; 0 before it is granted.'),
    used: safeInt('The amount that has paid invoices and was not returned.'),
    expired: safeInt('The amount that expired unused.'),
    revoked: safeInt('The amount that was revoked, or returned to the customer as money.'),
    priority: int('The priority, 0 to 100; lower ones are used first.'),
    expiresAt: nullable.time(
      'The time from which it cannot be used; null for never, and before it is granted.',
    ),
    validDays: nullable.int(
      'The days from the grant, or the last rollover, to the expiry; null without.',
    ),
    rollovers: nullable.int(
      'The expiries that it may still survive; null where it does not roll over.',
    ),
    rolloverLimit: nullable.safeInt(
      'The largest amount that survives an expiry; null without a limit.',
    ),
    rolledOver: int('The number of expiries that it has survived.'),
    ...withOptionalId('invoice', Invoice, invoiceText),
    grantedAt: nullable.time('When its invoice was paid, or it was given; null before.'),
    reason: nullable.text('The reason. The customer can read it.'),
    uses: t.field({
      type: [PrepaidCreditUseRef],
      description: `The invoices that it pays; ${atMostBelow}.`,
      resolve: usesOf('credit'),
    }),
  }),
});

builder.objectField(Invoice, 'prepaidUses', (t) =>
  t.field({
    type: [PrepaidCreditUseRef],
    description: `The prepaid credits that pay it; ${atMostBelow}.`,
    resolve: usesOf('invoice'),
  }),
);

readable({
  one: 'prepaidCredit',
  many: 'prepaidCredits',
  noun: 'prepaid credit',
  entity: PrepaidCredit,
  where: {
    customer: byId('customer', 'The customer.'),
    invoice: byId('invoice', 'The invoice that buys it.'),
    source: byEnum(PrepaidCreditSource, 'source', 'The source.'),
    remaining: byAmount('remaining', 'The amount that can still pay invoices.'),
    granted: byPresence('grantedAt', 'Granted (true) or not (false).'),
    expiresAt: byTime('expiresAt', 'The time from which it cannot be used.'),
  },
  orders: {
    remaining: {
      property: 'remaining',
      kind: 'integer',
      inCurrency: true,
      words: 'remaining amount',
    },
  },
});
