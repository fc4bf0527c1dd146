// @module-tag long
import { describe, expect } from 'vitest';
import {
  amountsOf,
  membersOf,
  statusOf,
} from '#domain/invoicing/commands/consolidated-invoices/amounts.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { rightAnswer } from '../../../support/outside/tax-service.ts';
import { taxedTest as test, useService } from '../../../support/outside/taxed-test.ts';
import { aPrepaidCredit, creditsOf } from '../../../support/prepaid.ts';
import {
  aConsolidatingCustomer,
  documentsOf,
  type Timeline,
} from '../../../support/records/consolidated.ts';

const declines = 'sandbox_decline_insufficient_funds';

/** The one document of a customer, its status and its amounts. */
async function shown(timeline: Timeline) {
  const [document, ...others] = await documentsOf(timeline);
  if (!document || others.length > 0) throw new Error(`There are ${others.length + 1} documents`);
  const amounts = await amountsOf(timeline.fresh(), document);
  return { document, amounts, status: await statusOf(timeline.fresh(), document) };
}

const lastCharge = async (timeline: Timeline) => (await timeline.charges()).at(-1);

describe('prepaid credit of a customer with consolidated invoices', () => {
  test('pays the first invoices of the document, and the charge is for the rest', async ({
    session,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [
      { unitPrice: 1_000 },
      { unitPrice: 250 },
      { unitPrice: 40 },
    ]);
    await aPrepaidCredit(session, timeline.customer.id, { amount: 1_100 });
    await timeline.toDay(31);
    const { document, amounts, status } = await shown(timeline);
    expect(status).toBe('paid');
    expect(amounts).toMatchObject({
      ...{ total: 1_290, creditApplied: 1_100, amountPaid: 1_290, amountDue: 0 },
    });
    const members = await membersOf(timeline.fresh(), document);
    expect(members.map(({ prepaidApplied }) => prepaidApplied)).toEqual([1_000, 100, 0]);
    expect(await lastCharge(timeline)).toMatchObject({ amount: 190, status: 'succeeded' });
    expect(await creditsOf(session, timeline.customer.id)).toEqual(['gift 1100: 1100 used']);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('returns with an invoice that is void, and the others are paid without it', async ({
    session,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, declines, [
      { unitPrice: 1_000 },
      { unitPrice: 250 },
    ]);
    await aPrepaidCredit(session, timeline.customer.id, { amount: 300 });
    await timeline.toDay(31);
    const { document, status } = await shown(timeline);
    expect(status).toBe('open');
    const [first, second] = await membersOf(timeline.fresh(), document);
    await voidInvoice(timeline.fresh(), { id: first?.id ?? '' });
    expect(await creditsOf(session, timeline.customer.id)).toEqual(['gift 300: 300 left']);
    await timeline.pays('sandbox_success', { default: true });
    if ((await shown(timeline)).status === 'open') {
      await payInvoice(timeline.fresh(), { id: second?.id ?? '' });
    }
    expect(await shown(timeline)).toMatchObject({
      status: 'paid',
      amounts: { total: 250, creditApplied: 0, amountPaid: 250, amountDue: 0 },
    });
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });
});

test('a tax service without an answer for one invoice delays the whole document', async ({
  session,
  service,
}) => {
  const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [
    { unitPrice: 1_000 },
    { unitPrice: 250 },
  ]);
  await useService(session, service);
  const known = (await timeline.invoices()).length;
  const usual = service.answer;
  service.answer = (call, response) => {
    if (call.question.lines.some(({ amount }) => amount === 1_000)) return usual(call, response);
    response.writeHead(503).end();
  };
  await expect(timeline.toDay(31)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await documentsOf(timeline)).toEqual([]);
  expect(await timeline.invoices()).toHaveLength(known);
  service.answer = (call, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const rate = call.question.lines.some(({ amount }) => amount === 250) ? '7' : '19';
    response.end(JSON.stringify(rightAnswer(call.question, rate)));
  };
  await timeline.toDay(31);
  const { document, amounts, status } = await shown(timeline);
  expect(status).toBe('paid');
  expect(amounts).toMatchObject({ subtotal: 1_250, taxAmount: 208, total: 1_458 });
  const members = await membersOf(timeline.fresh(), document);
  expect(members.map(({ taxAmount }) => taxAmount)).toEqual([190, 18]);
  expect(await lastCharge(timeline)).toMatchObject({ amount: 1_458 });
  await expectMoneyToAgree(session);
  await expectBooksToAgree(session);
});
