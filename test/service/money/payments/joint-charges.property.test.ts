// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { createCreditNoteInput } from '#domain/invoicing/commands/credit-notes/credit-note-input.ts';
import {
  beginPayingInvoices,
  payInvoices,
} from '#domain/invoicing/commands/invoices/pay-invoices.ts';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { askProcessor } from '#domain/money/collection/ask-processor.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { settlePayment } from '#domain/money/collection/settle-payment.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { sandboxTokens } from '#domain/money/processing/sandbox/sandbox-tokens.ts';
import { aDraft } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree, moneyOf } from '../../../support/money.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { settleDisputeOf } from '../../../support/records/disputes.ts';
import { tried } from '../../../support/seeded.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

type Timeline = Awaited<ReturnType<typeof aTimeline>>;

/** How far the process gets before it is killed. */
const boundaries = ['attempt', 'charge', 'outcome', 'all'] as const;

const deeds = fc.record({
  kind: fc.constantFrom('refund', 'note', 'by_hand', 'lost', 'won', 'again'),
  place: fc.nat(4),
  /** The share of an amount, in percent. */
  part: fc.integer({ min: 1, max: 100 }),
});

const scripts = fc.record({
  amounts: fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 2, maxLength: 5 }),
  token: fc.oneof(fc.constant('sandbox_success'), fc.constantFrom(...sandboxTokens)),
  boundary: fc.constantFrom(...boundaries),
  deeds: fc.array(deeds, { maxLength: 5 }),
});

test('a charge for several invoices is made once wherever its process is killed, and whatever becomes of its parts agrees with the processor', async ({
  session,
}) => {
  await tried(
    'joint-charges.property.test.ts',
    fc.asyncProperty(scripts, async (script) => {
      const timeline = await aTimeline(session);
      await timeline.pays(script.token, { default: true });
      const ids: string[] = [];
      for (const price of script.amounts) {
        const lines = [{ quantity: 1, price }];
        const { id } = await aDraft(session, { customerId: timeline.customer.id, lines });
        ids.push((await finalizeInvoice(timeline.fresh(), { id })).id);
      }
      const paymentId = await killedAt(timeline, script.boundary, ids);
      await expectMoneyToAgree(session);
      await timeline.toDay(0.3);
      const sum = script.amounts.reduce((sum, amount) => sum + amount, 0);
      expect((await timeline.charges()).filter(({ amount }) => amount !== sum)).toEqual([]);
      expect((await timeline.charges()).length).toBeLessThanOrEqual(1);
      for (const deed of script.deeds) {
        await done(timeline, paymentId, ids, deed);
        await expectMoneyToAgree(session);
        await expectBooksToAgree(session);
      }
      await timeline.toDay(40);
      await expectMoneyToAgree(session);
      await expectBooksToAgree(session);
      const money = await moneyOf(session);
      expect(money.payments).toBe(money.charges);
    }),
    { cases: 8, milliseconds: 6_000 },
  );
});

/** Begins the charge of invoices in a process that is killed. Returns the payment that the processor knows. */
async function killedAt(
  timeline: Timeline,
  boundary: (typeof boundaries)[number],
  ids: readonly string[],
): Promise<string> {
  const begun =
    (await command(timeline.fresh(), (session) =>
      beginPayingInvoices(session, { ids: [...ids] }),
    )) ?? '';
  const next = { paymentId: begun, resumed: false };
  if (boundary === 'all') await chargePayment(timeline.fresh(), next);
  if (boundary === 'attempt' || boundary === 'all') return begun;
  const outcome = await askProcessor(timeline.fresh(), next);
  if (boundary === 'outcome' && outcome) await settlePayment(timeline.fresh(), begun, outcome);
  return begun;
}

/** One deed with a part of the charge; a refusal changes nothing. */
async function done(
  timeline: Timeline,
  paymentId: string,
  ids: readonly string[],
  { kind, place, part }: typeof deeds extends fc.Arbitrary<infer T> ? T : never,
) {
  const session = timeline.fresh();
  const payments = await timeline.payments();
  const payment = payments[place % payments.length];
  const invoiceId = ids[place % ids.length] ?? '';
  const amount = Math.max(1, Math.floor(((payment?.amount ?? 1) * part) / 100));
  try {
    if (kind === 'refund')
      await refundPayment(session, { id: payment?.id ?? '', partialAmount: amount });
    if (kind === 'note') {
      const note = { invoiceId, amount, settle: 'credit', reason: 'other' };
      await createCreditNote(session, createCreditNoteInput.parse({ creditNote: note }));
    }
    if (kind === 'by_hand')
      await recordPayment(session, { invoiceId, amount, method: 'bank_transfer' });
    if (kind === 'again') await payInvoices(session, { ids: [invoiceId] });
    if (kind === 'lost' || kind === 'won') {
      const charged = payments.find(({ id }) => id === paymentId);
      if (charged?.status !== 'succeeded' && charged?.status !== 'refunded') return;
      const whole = payments
        .filter(({ chargeId }) => chargeId === paymentId)
        .reduce((sum, { amount, refundedAmount }) => sum + amount - refundedAmount, 0);
      const withdrawnAmount = kind === 'lost' ? Math.floor((whole * part) / 100) : 0;
      await settleDisputeOf(session, paymentId, { status: kind, withdrawnAmount });
    }
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'BAD_REQUEST') throw error;
  }
}
