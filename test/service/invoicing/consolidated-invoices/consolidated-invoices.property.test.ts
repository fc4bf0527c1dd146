// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { amountsOf, membersOf } from '#domain/invoicing/commands/consolidated-invoices/amounts.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { askProcessor } from '#domain/money/collection/ask-processor.ts';
import { beginPayment } from '#domain/money/collection/begin-payment.ts';
import { settlePayment } from '#domain/money/collection/settle-payment.ts';
import { sandboxTokens } from '#domain/money/processing/sandbox/sandbox-tokens.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { transitionSubscription } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import { allowSeveral } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree, moneyOf } from '../../../support/money.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { tried } from '../../../support/seeded.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

type Timeline = Awaited<ReturnType<typeof aTimeline>>;

const tokens = fc.oneof(fc.constant('sandbox_success'), fc.constantFrom(...sandboxTokens));

const scripts = fc.record({
  prices: fc.array(fc.integer({ min: 50, max: 5_000 }), { minLength: 2, maxLength: 4 }),
  /** For each subscription, whether it is sent, and which method it has. */
  terms: fc.array(fc.record({ isSent: fc.boolean(), method: fc.nat(1) }), {
    minLength: 4,
    maxLength: 4,
  }),
  tokens: fc.tuple(tokens, tokens),
  backup: fc.option(tokens),
  /** How far the process gets before it is killed, and at which run. */
  kill: fc.constantFrom('begin', 'charge', 'outcome', 'none'),
  place: fc.nat(3),
  /** The days on which the clock stops. */
  stops: fc.uniqueArray(fc.integer({ min: 32, max: 58 }), { maxLength: 3 }),
});
type Script = typeof scripts extends fc.Arbitrary<infer T> ? T : never;

test('invoices of one instant are in one document each, and are charged once, wherever a process is killed', async ({
  session,
}) => {
  await allowSeveral(session);
  await tried(
    'consolidated-invoices.property.test.ts',
    fc.asyncProperty(scripts, async (script) => {
      const timeline = await aTimeline(session);
      const broken = await lived(timeline, script, true);
      const whole = await aTimeline(session);
      expect(await lived(whole, { ...script, kill: 'none', stops: [] }, false)).toEqual(broken);
      await expectMoneyToAgree(session);
      await expectBooksToAgree(session);
      const money = await moneyOf(session);
      expect(money.payments).toBe(money.charges);
    }),
    { cases: 3, milliseconds: 6_000 },
  );
});

/** The documents after two renewals, and the charges and invoices of the customer, without ids. */
async function lived(timeline: Timeline, script: Script, isKilled: boolean) {
  await updateCustomer(timeline.fresh(), {
    externalId: timeline.customer.externalId,
    customer: { consolidatesInvoices: true },
  });
  const first = await timeline.pays('sandbox_success', { default: true });
  const ids: string[] = [];
  for (const [place, unitPrice] of script.prices.entries()) {
    const isSent = script.terms[place]?.isSent ?? false;
    const sent = { collectionMethod: 'send_invoice', daysUntilDue: 40 } as const;
    ids.push((await timeline.subscribes({ unitPrice, ...(isSent && sent) })).id);
  }
  const methods = [await timeline.pays(script.tokens[0]), await timeline.pays(script.tokens[1])];
  const backup = script.backup && (await timeline.pays(script.backup));
  for (const [place, id] of ids.entries()) {
    const method = methods[script.terms[place]?.method ?? 0] ?? first;
    const given = { defaultPaymentMethodId: method.id, backupPaymentMethodId: backup?.id ?? null };
    await updateSubscription(timeline.fresh(), { id, subscription: given });
  }
  if (isKilled && script.kill !== 'none') await killed(timeline, script, ids);
  for (const day of script.stops.toSorted((one, other) => one - other)) await timeline.toDay(day);
  await timeline.toDay(59.5);
  return storyOf(timeline);
}

/** The first renewal, by a process that is killed while it executes a run. */
async function killed(timeline: Timeline, { kill, place }: Script, ids: readonly string[]) {
  const then = await timeline.moveClockAlone(31);
  const others = await timeline.subscriptions();
  for (const { id } of others) await transitionSubscription(timeline.fresh(), id);
  expect(others.length).toBeGreaterThanOrEqual(ids.length);
  const due = {
    customerId: timeline.customer.id,
    status: 'scheduled',
    dueAt: { $ne: null },
  } as const;
  const runs = await then.em.find(BillingRun, due);
  const run = runs[place % Math.max(1, runs.length)];
  if (!run) return;
  const begun = await beginPayment(timeline.fresh(), run.id);
  if (!begun || begun === 'prepared' || kill === 'begin') return;
  const outcome = await askProcessor(timeline.fresh(), begun);
  if (outcome && kill === 'outcome') {
    await settlePayment(timeline.fresh(), begun.paymentId, outcome);
  }
}

/** The documents, invoices and charges of a customer in the end. Checks that the sums of the documents agree. */
async function storyOf(timeline: Timeline) {
  const session = timeline.fresh();
  const orderBy = { position: 'asc' } as const;
  const where = { customer: timeline.customer.id };
  const documents = await session.em.find(ConsolidatedInvoice, where, { orderBy });
  const seen = new Set<string>();
  const shown: unknown[] = [];
  for (const document of documents) {
    const members = await membersOf(session, document);
    const counted = members.filter(({ status }) => status !== 'void');
    const { total } = await amountsOf(session, document);
    expect(total).toBe(counted.reduce((sum, member) => sum + member.total, 0));
    for (const { billingPeriodId } of members) {
      expect(seen).not.toContain(billingPeriodId);
      seen.add(billingPeriodId ?? '');
    }
    shown.push([document.scheduledFor, document.dueDate, members.map(({ total }) => total)]);
  }
  const invoices = await timeline.invoices();
  return {
    // Documents of different terms are numbered in the order in which their runs are executed.
    documents: shown.map((document) => JSON.stringify(document)).toSorted(),
    invoices: invoices
      .map(({ total, status, invoiceNumber }) =>
        [invoiceNumber.split('-')[2] ?? '', total, status].join(' '),
      )
      .toSorted(),
    charges: (await timeline.charges())
      .map(({ amount, status }) => `${amount} ${status}`)
      .toSorted(),
  };
}
