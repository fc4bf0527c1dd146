import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { tokenHashOf } from '#domain/money/methods/add-method.ts';
import { fresh } from '../factories.ts';
import { expectOwnMoneyToAgree } from '../money.ts';
import type { StripeState, Thing } from '../stripe/state.ts';

interface Booked {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly refunded: number;
  readonly reference: string | null;
  readonly charge: string | null;
  readonly run: string | null;
  /** The invoices that the charge pays. */
  readonly invoices: readonly string[];
}

interface Returned {
  readonly reference: string | null;
  readonly amount: number;
  readonly status: string;
}

const received = (status: string) => status === 'succeeded' || status === 'refunded';

/**
 * Expects that the books of an organization are those of Stripe, to the minor unit: each charge has its payment, no
 * payment lacks its charge, a run and an invoice are charged once, each refund and each card that was entered is
 * recorded once, and no intent is left that could still be paid.
 */
export async function expectSameBooks(session: Session, stripe: StripeState) {
  const { em } = fresh(session);
  const payments = await em.execute<Booked[]>(
    `select id, status, coalesce(charge_amount, amount)::float8 as amount, currency, parts.refunded, parts.invoices,
       processor_reference as reference, charge_reference as charge, billing_run_id as run
     from payment charged, lateral (
       select sum(refunded_amount)::float8 as refunded, array_agg(invoice_id) as invoices
       from payment where id = charged.id or charged_with_id = charged.id) parts
     where organization_id = ? and processor = 'stripe' and charged_with_id is null order by id`,
    [session.organizationId],
  );
  const taken = stripe.all('ch').filter(({ status }) => status === 'succeeded');
  expect(sorted(payments.filter(({ status }) => received(status)).map(booked))).toEqual(
    sorted(taken.map(charged)),
  );
  const successes = payments.filter(({ status }) => status === 'succeeded');
  expectOnce(successes.flatMap(({ run }) => run ?? []));
  expectOnce(successes.flatMap(({ invoices }) => invoices));
  const decided = new Set(
    payments.flatMap(({ id, status }) => (['failed', 'canceled'].includes(status) ? id : [])),
  );
  const payable = stripe
    .all('pi')
    .filter(
      ({ status, metadata }) =>
        !['succeeded', 'canceled'].includes(status) && decided.has(metadata.payment_id),
    );
  expect(payable).toEqual([]);
  const refunds = await em.execute<Returned[]>(
    `select r.processor_reference as reference, sum(r.amount)::float8 as amount, r.status from refund r
     join payment p on p.id = r.payment_id
     where r.organization_id = ? and p.processor = 'stripe' and r.status = 'succeeded' group by 1, 3`,
    [session.organizationId],
  );
  const made = stripe.all('re').filter(({ status }) => status === 'succeeded');
  expect(sorted(refunds.map(({ reference, amount }) => `${reference} ${amount}`))).toEqual(
    sorted(made.map(({ id, amount }) => `${id} ${amount}`)),
  );
  await expectMethods(session, stripe);
  const open = await em.execute(
    `select kind, message from processor_difference where organization_id = ? and resolved_at is null`,
    [session.organizationId],
  );
  expect(open).toEqual([]);
  await expectOwnMoneyToAgree(fresh(session));
}

/** Each card that a customer has entered on a page of a set-up is stored once. */
async function expectMethods(session: Session, stripe: StripeState) {
  const entered = stripe
    .all('cs')
    .filter(({ mode, status }) => mode === 'setup' && status === 'complete')
    .map(({ setup_intent: setup }) => tokenHashOf(stripe.get('seti', setup).payment_method));
  const rows = await fresh(session).em.execute<{ hash: string }[]>(
    `select token_hash as hash from payment_method where organization_id = ? and processor = 'stripe'`,
    [session.organizationId],
  );
  const stored = rows.map(({ hash }) => hash);
  expectOnce(stored);
  expect(entered.filter((hash) => !stored.includes(hash))).toEqual([]);
}

const booked = ({ id, amount, currency, refunded, charge }: Booked) =>
  `${id} ${charge} ${amount} ${currency} −${refunded}`;

const charged = ({ id, amount, currency, amount_refunded, metadata }: Thing) =>
  `${metadata.payment_id} ${id} ${amount} ${currency.toUpperCase()} −${amount_refunded}`;

const sorted = (texts: readonly string[]) => texts.toSorted();

function expectOnce(ids: readonly string[]) {
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
}
