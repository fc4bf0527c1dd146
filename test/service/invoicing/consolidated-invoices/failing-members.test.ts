// @module-tag long
import { describe, expect } from 'vitest';
import { upcomingConsolidatedInvoice } from '#domain/invoicing/commands/consolidated-invoices/upcoming-consolidated-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { lockRun } from '#domain/platform/locks/lock-run.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { at } from '../../../support/instants.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import type { TaxServer } from '../../../support/outside/tax-service.ts';
import { taxedTest as test, useService } from '../../../support/outside/taxed-test.ts';
import { renewing } from '../../../support/records/consolidated.ts';

/** Has the service fail for one amount. Returns how often it was asked for it, and a function that repairs it. */
function failFor(service: TaxServer, failing: number) {
  const usual = service.answer;
  let asked = 0;
  service.answer = (call, response) => {
    if (!call.question.lines.some(({ amount }) => amount === failing)) return usual(call, response);
    asked += 1;
    response.writeHead(503).end();
  };
  const repair = () => {
    service.answer = usual;
  };
  return { asked: () => asked, repair };
}

/** Three subscriptions that renew, the second one of which cannot be taxed. */
async function untaxed(session: Session, service: TaxServer) {
  const renewed = await renewing(session, 3, [1_000, 250, 40]);
  await useService(session, service);
  const fault = failFor(service, 250);
  const { customer, start } = renewed;
  const minutesOn = (minutes: number) => at(session, start, minutes * 60_000);
  await transitionDueSubscriptions(session.em, start, 'test');
  const sweep = (minutes: number) =>
    executeDueRuns(session.em, minutesOn(minutes).now, 'test', () => {});
  const written = async () =>
    (
      await minutesOn(0).em.find(
        Invoice,
        { customer: customer.id },
        { orderBy: { position: 'asc' } },
      )
    ).map(({ invoiceNumber, subtotal }) => `${invoiceNumber.replace(/^[^-]+-/, '')} ${subtotal}`);
  const first = await written();
  return {
    ...renewed,
    fault,
    minutesOn,
    sweep,
    written: async () => (await written()).slice(first.length),
  };
}

describe('an invoice that cannot be written', () => {
  test('delays the others of its document for an hour, and is written alone', async ({
    session,
    service,
  }) => {
    const { sweep, written, fault, minutesOn, customer } = await untaxed(session, service);
    for (const minutes of [0, 5, 10, 30, 59]) await sweep(minutes);
    expect(await written()).toEqual([]);
    const runs = await minutesOn(0).em.find(BillingRun, {
      customerId: customer.id,
      status: 'scheduled',
    });
    expect(runs.filter(({ errorDetails }) => errorDetails)).toHaveLength(1);
    for (const minutes of [66, 72]) await sweep(minutes);
    expect(await written()).toEqual(['00003-1 1000', '00003-2 40']);
    fault.repair();
    await sweep(80);
    expect(await written()).toEqual(['00003-1 1000', '00003-2 40', '00004 250']);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('is in the document where it can be written within the hour', async ({
    session,
    service,
  }) => {
    const { sweep, written, fault } = await untaxed(session, service);
    for (const minutes of [0, 5, 10]) await sweep(minutes);
    fault.repair();
    for (const minutes of [20, 26]) await sweep(minutes);
    expect(await written()).toEqual(['00003-1 1000', '00003-2 250', '00003-3 40']);
  });

  test('is foreseen in the document, which another run awaits', async ({ session, service }) => {
    const { sweep, written, fault, minutesOn, customer } = await untaxed(session, service);
    await sweep(0);
    const foreseen = () => upcomingConsolidatedInvoice(minutesOn(1), customer.id);
    await expect(foreseen()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    fault.repair();
    const { invoices, leftOut } = await foreseen();
    expect(leftOut).toEqual([]);
    expect(invoices.map(({ invoice }) => invoice.subtotal)).toEqual([1_000, 250, 40]);
    for (const minutes of [5, 6, 12]) await sweep(minutes);
    expect(await written()).toEqual(['00003-1 1000', '00003-2 250', '00003-3 40']);
  });

  test('is asked for by its own run, not once for each run that waits', async ({
    session,
    service,
  }) => {
    const { sweep, fault } = await untaxed(session, service);
    await sweep(0);
    await sweep(2);
    const before = fault.asked();
    await sweep(3);
    await sweep(4);
    expect(fault.asked()).toBe(before);
  });

  test('delays no invoice of other terms', async ({ session, service }) => {
    const { sweep, written, ids, minutesOn } = await untaxed(session, service);
    const sent = { collectionMethod: 'send_invoice', daysUntilDue: 10 } as const;
    await updateSubscription(minutesOn(0), { id: ids[0] ?? '', subscription: sent });
    await sweep(0);
    expect(await written()).toEqual(['00003 1000']);
  });
});

test('whether a run consolidates is read under the lock of its customer', async ({ session }) => {
  const { customer, start } = await renewing(session, 2);
  await transitionDueSubscriptions(session.em, start, 'test');
  const run = await at(session, start).em.findOneOrFail(BillingRun, {
    customerId: customer.id,
    status: 'scheduled',
  });
  let locked: Promise<boolean> | undefined;
  await at(session, start).em.transactional(async (em) => {
    const row = await em.findOneOrFail(Customer, customer.id);
    row.consolidatesInvoices = false;
    await em.flush();
    locked = at(session, start).em.transactional(
      async (em) => (await lockRun({ ...at(session, start), em }, run.id)).consolidates,
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
  });
  expect(await locked).toBe(false);
});
