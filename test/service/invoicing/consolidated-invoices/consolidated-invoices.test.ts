// @module-tag long
import { describe, expect } from 'vitest';
import {
  amountsOf,
  membersOf,
  statusOf,
} from '#domain/invoicing/commands/consolidated-invoices/amounts.ts';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { executeBillingRun } from '#domain/money/collection/execute-billing-run.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { transitionSubscription } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import { aPaymentMethod, aPriceOf, aSubscription } from '../../../support/factories.ts';
import { at } from '../../../support/instants.ts';
import { expectBooksToAgree, expectMoneyToAgree, moneyOf } from '../../../support/money.ts';
import {
  aConsolidatingCustomer,
  consolidates,
  documentsOf,
  renewing,
  type Timeline,
} from '../../../support/records/consolidated.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

/** The part of the numbers after the base of the customer. */
const numbersOf = (records: readonly { invoiceNumber: string }[]) =>
  records.map(({ invoiceNumber }) => invoiceNumber.replace(/^[^-]+-/, ''));

const chargesOf = async (timeline: Timeline) =>
  (await timeline.charges()).map(({ amount, status }) => [amount, status]);

describe('subscriptions of a customer that renew at the same instant', () => {
  test('have one document with one number, one due date and one charge', async ({ session }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [
      { unitPrice: 1_000 },
      { unitPrice: 250 },
      { unitPrice: 4 },
    ]);
    await timeline.toDay(31);
    const [document, ...others] = await documentsOf(timeline);
    if (!document) throw new Error('There is no document');
    expect(others).toEqual([]);
    const members = await membersOf(timeline.fresh(), document);
    expect(numbersOf([document])).toEqual(['00003']);
    expect(numbersOf(members)).toEqual(['00003-1', '00003-2', '00003-3']);
    expect(new Set(members.map(({ dueDate }) => dueDate?.getTime()))).toEqual(
      new Set([document.dueDate.getTime()]),
    );
    expect(await statusOf(timeline.fresh(), document)).toBe('paid');
    expect(await amountsOf(timeline.fresh(), document)).toEqual({
      ...{ subtotal: 1_254, taxAmount: 0, total: 1_254, creditApplied: 0, amountCredited: 0 },
      ...{ amountPaid: 1_254, amountDue: 0 },
    });
    expect(await chargesOf(timeline)).toEqual([
      [1_000, 'succeeded'],
      [250, 'succeeded'],
      [4, 'succeeded'],
      [1_254, 'succeeded'],
    ]);
    const payments = await timeline.payments();
    expect(payments[3]?.description).toBe(`Invoice ${document.invoiceNumber}`);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('are retried and dunned together, and paid with one charge in the end', async ({
    session,
  }) => {
    const { timeline } = await aConsolidatingCustomer(
      session,
      'sandbox_decline_insufficient_funds',
      [{ unitPrice: 1_000 }, { unitPrice: 250 }],
    );
    await timeline.toDay(31);
    await timeline.toDay(35);
    const charges = (await chargesOf(timeline)).slice(2);
    expect(charges).toEqual([
      [1_250, 'failed'],
      [1_250, 'failed'],
    ]);
    const statuses = () =>
      timeline.subscriptions().then((all) => all.map(({ status }) => status).slice(-2));
    expect(await statuses()).toEqual(['past_due', 'past_due']);
    await timeline.pays('sandbox_success', { default: true });
    await timeline.toDay(45);
    expect(await statuses()).toEqual(['active', 'active']);
    expect((await chargesOf(timeline)).slice(4)).toEqual([[1_250, 'succeeded']]);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('try a backup payment method that they share with one charge', async ({ session }) => {
    const { timeline, ids } = await aConsolidatingCustomer(session, 'sandbox_success', [
      {},
      {},
      {},
    ]);
    const declined = await timeline.pays('sandbox_decline_insufficient_funds', { default: true });
    const backup = await timeline.pays('sandbox_success');
    for (const [place, id] of ids.entries()) {
      const given = { backupPaymentMethodId: place < 2 ? backup.id : null };
      const subscription = { defaultPaymentMethodId: declined.id, ...given };
      await updateSubscription(timeline.fresh(), { id, subscription });
    }
    await timeline.toDay(31);
    expect((await chargesOf(timeline)).slice(3)).toEqual([
      [3_000, 'failed'],
      [2_000, 'succeeded'],
    ]);
    const [document] = await documentsOf(timeline);
    if (!document) throw new Error('There is no document');
    expect(await statusOf(timeline.fresh(), document)).toBe('open');
    expect(await amountsOf(timeline.fresh(), document)).toMatchObject({
      amountPaid: 2_000,
      amountDue: 1_000,
    });
    await expectMoneyToAgree(session);
  });

  test('have documents apart where they are collected in other ways', async ({ session }) => {
    const sent = { collectionMethod: 'send_invoice', daysUntilDue: 10 } as const;
    const { timeline, ids } = await aConsolidatingCustomer(session, 'sandbox_success', [
      ...[{}, {}, {}],
      ...[sent, sent, { ...sent, daysUntilDue: 20 }],
    ]);
    const other = await timeline.pays('sandbox_success');
    await updateSubscription(timeline.fresh(), {
      id: ids[2] ?? '',
      subscription: { defaultPaymentMethodId: other.id },
    });
    await timeline.toDay(31);
    const documents = await documentsOf(timeline);
    expect(documents.map(({ collectionMethod }) => collectionMethod)).toEqual([
      'charge_automatically',
      'send_invoice',
    ]);
    expect(numbersOf((await timeline.invoices()).slice(6))).toEqual([
      ...['00006-1', '00006-2', '00007', '00008-1', '00008-2', '00009'],
    ]);
    await expectMoneyToAgree(session);
  });

  test('are sent, overdue and reminded of together', async ({ session }) => {
    const sent = { collectionMethod: 'send_invoice', daysUntilDue: 10 } as const;
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [sent, sent]);
    await timeline.toDay(31);
    const [, , one, two] = await timeline.invoices();
    expect([one?.sentAt, two?.sentAt]).toEqual([timeline.day(31), timeline.day(31)]);
    await timeline.toDay(42);
    const overdue = (await timeline.invoices()).slice(2, 4);
    expect(overdue.map(({ overdueAt }) => overdueAt?.getTime())).toEqual([
      timeline.day(41).getTime() + 1,
      timeline.day(41).getTime() + 1,
    ]);
    expect(overdue.map(({ followUpDueAt }) => followUpDueAt)).toEqual([
      timeline.day(44.00000001157408),
      timeline.day(44.00000001157408),
    ]);
  });

  test('leave a void invoice out of the sums of their document', async ({ session }) => {
    const { timeline } = await aConsolidatingCustomer(
      session,
      'sandbox_decline_insufficient_funds',
      [{ unitPrice: 1_000 }, { unitPrice: 250 }],
    );
    await timeline.toDay(31);
    const [document] = await documentsOf(timeline);
    if (!document) throw new Error('There is no document');
    const [first] = await membersOf(timeline.fresh(), document);
    await voidInvoice(timeline.fresh(), { id: first?.id ?? '' });
    expect(await amountsOf(timeline.fresh(), document)).toMatchObject({
      total: 250,
      amountDue: 250,
    });
    await timeline.pays('sandbox_success', { default: true });
    expect(await statusOf(timeline.fresh(), document)).toBe('paid');
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('have a document that keeps its number and dates', async ({ session }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [{}, {}]);
    await timeline.toDay(31);
    const { em } = timeline.fresh();
    for (const change of [`invoice_number = 'X-1'`, `invoice_date = now()`, `due_date = now()`]) {
      const changed = em.execute(`update consolidated_invoice set ${change}`);
      await expect(changed).rejects.toThrow('is no draft any more');
    }
    await expectMoneyToAgree(session);
  });

  test('have a document whose invoices have its number', async ({ session }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [{}, {}]);
    await timeline.toDay(31);
    const { em } = timeline.fresh();
    for (const number of [
      "document.invoice_number || '-0'",
      "document.invoice_number || '-x'",
      "'X-1'",
    ]) {
      const copied = em.execute(
        `insert into invoice select (jsonb_populate_record(member, jsonb_build_object(
           'id', 'inv_copy', 'position', member.position + 1000000, 'invoice_number', ${number},
           'billing_period_id', null, 'subscription_id', null))).*
         from invoice member join consolidated_invoice document on document.id = member.consolidated_invoice_id limit 1`,
      );
      await expect(copied).rejects.toThrow('is none of document');
    }
  });

  test('have invoices apart unless the customer or the organization consolidates', async ({
    session,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [{}, {}]);
    await consolidates(timeline, null);
    await timeline.toDay(31);
    expect(await documentsOf(timeline)).toEqual([]);
    const organization = { consolidatesInvoices: true };
    await updateOrganization(timeline.fresh(), { organization });
    await timeline.toDay(60);
    expect(numbersOf(await documentsOf(timeline))).toEqual(['00004']);
    await consolidates(timeline, false);
    await timeline.toDay(92);
    expect(numbersOf(await documentsOf(timeline))).toEqual(['00004']);
    expect(numbersOf(await timeline.invoices())).toEqual([
      ...['00000', '00001', '00002', '00003', '00004-1', '00004-2', '00005', '00006'],
    ]);
  });
});

describe('the jobs that execute billing runs', () => {
  test('wait until each boundary of the instant is crossed, for an hour at most', async ({
    session,
  }) => {
    const { customer, ids, start } = await renewing(session, 2);
    const [first = '', second = ''] = ids;
    const then = (minutes: number) => at(session, start, minutes * 60_000);
    await transitionSubscription(then(1), first);
    const sweep = (minutes: number) =>
      executeDueRuns(session.em, then(minutes).now, 'test', (error) => {
        throw error;
      });
    const written = () =>
      then(0).em.find(Invoice, { customer: customer.id }, { orderBy: { position: 'asc' } });
    await sweep(2);
    await sweep(20);
    expect(await written()).toHaveLength(2);
    await transitionSubscription(then(21), second);
    await sweep(22);
    expect(numbersOf(await written())).toEqual(['00000', '00001', '00002-1', '00002-2']);

    const next = (await then(0).em.findOneOrFail(Subscription, first)).transitionDueAt as Date;
    await transitionSubscription(at(session, next), first);
    for (const minutes of [1, 30, 65]) {
      await executeDueRuns(session.em, at(session, next, minutes * 60_000).now, 'test', (error) => {
        throw error;
      });
    }
    expect(numbersOf((await written()).slice(4))).toEqual(['00003']);
    await expectMoneyToAgree(session);
  });

  test('wait for a subscription that a payment keeps in its period', async ({ session }) => {
    const { customer, ids, start } = await renewing(session, 2);
    const second = ids[1] ?? '';
    const slow = await aPaymentMethod(session, customer.id, {
      token: 'sandbox_processing_success',
    });
    const change = { defaultPaymentMethodId: slow.id };
    await updateSubscription(at(session, session.now), { id: second, subscription: change });
    const newSubscriptionItems = [{ priceId: await aPriceOf(session, { unitPrice: 9_000 }) }];
    await adjustSubscription(at(session, session.now), {
      id: second,
      adjustment: { timing: 'immediately', newSubscriptionItems },
    });
    const then = (minutes: number) => at(session, start, minutes * 60_000);
    await transitionDueSubscriptions(session.em, then(1).now, 'test');
    const sweep = (minutes: number) =>
      executeDueRuns(session.em, then(minutes).now, 'test', (error) => {
        throw error;
      });
    await sweep(2);
    const renewed = () => then(0).em.find(Invoice, { customer: customer.id, purpose: 'period' });
    expect(await renewed()).toHaveLength(2);
    await sweep(65);
    expect(await renewed()).toHaveLength(3);
  });

  test('bill a new subscription at once, also where the boundary of another one is not crossed', async ({
    session,
  }) => {
    const { customer, start } = await renewing(session, 1);
    const present = at(session, start, 5 * 60_000);
    await aSubscription(present, { customerId: customer.id });
    const invoices = await present.em.find(Invoice, { customer: customer.id });
    expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid']);
  });

  test('charge a document once, also where several processes execute its runs', async ({
    session,
  }) => {
    const { customer, start } = await renewing(session, 4);
    await transitionDueSubscriptions(session.em, start, 'test');
    const runs = await at(session, start).em.find(BillingRun, {
      customerId: customer.id,
      status: 'scheduled',
    });
    expect(runs).toHaveLength(4);
    await Promise.all(
      [...runs, ...runs.toReversed()].map(({ id }) => executeBillingRun(at(session, start), id)),
    );
    const members = await at(session, start).em.find(Invoice, {
      consolidatedInvoice: { $ne: null },
    });
    expect(members.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid', 'paid']);
    expect(new Set(members.map((member) => member.consolidatedInvoiceId)).size).toBe(1);
    await expectMoneyToAgree(session);
    const { payments, charges } = await moneyOf(session);
    expect(payments).toBe(charges);
  });
});
