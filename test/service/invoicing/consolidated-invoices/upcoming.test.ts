// @module-tag long
import { describe, expect } from 'vitest';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { aCustomer } from '../../../support/factories.ts';
import { rightAnswer } from '../../../support/outside/tax-service.ts';
import { taxedTest as test, useService } from '../../../support/outside/taxed-test.ts';
import { aPrepaidCredit } from '../../../support/prepaid.ts';
import {
  aConsolidatingCustomer,
  consolidates,
  documentsOf,
} from '../../../support/records/consolidated.ts';
import {
  aMeter,
  documentAfter,
  expectAsShown,
  upcomingDocument,
  upcomingOf,
} from '../../../support/records/upcoming-documents.ts';
import { graphqlOf } from '../../../support/test.ts';
import { use } from '../../../support/usage.ts';

const sent = { collectionMethod: 'send_invoice', daysUntilDue: 10 } as const;

describe('the upcoming consolidated invoice', () => {
  test('is the document that follows, with usage, discounts, taxes, prepaid credit and a credit balance', async ({
    session,
    graphql,
  }) => {
    const { code } = await aDiscount(session, { amount: 15 });
    const { timeline, ids } = await aConsolidatingCustomer(session, 'sandbox_success', [
      { unitPrice: 1_000, name: 'Desks' },
      { unitPrice: 999, name: 'Lockers', discountCode: code },
      { unitPrice: 250, name: 'Lamps' },
    ]);
    const slug = await aMeter(timeline);
    await timeline.toDay(10);
    const { externalId, id } = timeline.customer;
    const tax = { taxType: 'vat', taxRatePercentage: '19', taxInclusive: false } as const;
    await updateCustomer(timeline.fresh(), { externalId, customer: tax });
    await aPrepaidCredit(session, id, { amount: 1_300 });
    await timeline
      .fresh()
      .em.execute('update customer set credit_balance = 200 where id = ?', [id]);
    await use(session, { id: ids[1] ?? '', slug }, 40, 7);
    await use(session, { id: ids[2] ?? '', slug }, 4);
    const shown = await upcomingOf(graphql, timeline);
    expect(shown.invoices).toHaveLength(3);
    expect(shown.leftOut).toEqual([]);
    expect(shown.creditApplied).toBe(1_500);
    expect(await documentsOf(timeline)).toEqual([]);
    expect(await timeline.invoices()).toHaveLength(3);
    await timeline.toDay(31);
    await expectAsShown(graphql, timeline, shown, await documentAfter(timeline, 0));
    await expectAsShown(
      graphql,
      timeline,
      await upcomingOf(graphql, timeline),
      await timeline.toDay(60).then(() => documentAfter(timeline, 1)),
    );
  });

  test('follows the invoices that are written alone before it, with the credit that they use', async ({
    session,
    graphql,
  }) => {
    const { timeline, ids } = await aConsolidatingCustomer(session, 'sandbox_success', [
      { unitPrice: 1_000, name: 'Monthly' },
      { unitPrice: 9_000, name: 'Quarterly', interval: 'month', intervalCount: 3 },
    ]);
    const { id } = timeline.customer;
    await timeline
      .fresh()
      .em.execute('update customer set credit_balance = 2500 where id = ?', [id]);
    const shown = await upcomingOf(graphql, timeline);
    expect(shown).toMatchObject({ creditApplied: 500, total: 10_000, amountDue: 9_500 });
    expect(shown.invoices.map((one: { subscriptionId: string }) => one.subscriptionId)).toEqual(
      ids,
    );
    await timeline.toDay(95);
    expect(await documentsOf(timeline)).toHaveLength(1);
    await expectAsShown(graphql, timeline, shown, await documentAfter(timeline, 0));
  });

  test('tells for each other subscription why it is not in it', async ({ session, graphql }) => {
    const named = (name: string, more: object = {}) => ({ unitPrice: 500, name, ...more });
    const { timeline, ids } = await aConsolidatingCustomer(session, 'sandbox_success', [
      ...[named('One'), named('Two'), named('Sent', sent), named('Free', { doNotCharge: true })],
      ...[named('Ends'), named('Pauses'), named('Other card')],
      named('Later sent', { ...sent, daysUntilDue: 40 }),
    ]);
    const idOf = (place: number) => ids[place] ?? '';
    await cancelSubscription(timeline.fresh(), {
      id: idOf(4),
      cancellation: { timing: 'at_end_of_current_billing_period' },
    });
    await pauseSubscription(timeline.fresh(), {
      id: idOf(5),
      pause: { timing: 'at_end_of_current_billing_period' },
    });
    const other = await timeline.pays('sandbox_success');
    const subscription = { defaultPaymentMethodId: other.id };
    await updateSubscription(timeline.fresh(), { id: idOf(6), subscription });
    await timeline.toDay(5);
    await timeline.subscribes({ unitPrice: 500, name: 'Mid month' });
    await timeline.subscribes({
      ...{ unitPrice: 500, name: 'Trial' },
      trialEnd: timeline.day(45),
    });
    const shown = await upcomingOf(graphql, timeline);
    expect(shown.invoices).toHaveLength(2);
    const reasons = shown.leftOut.map(
      ({ subscription, reason }: { subscription: { name: string }; reason: string }) =>
        `${subscription.name}: ${reason}`,
    );
    expect(reasons).toEqual([
      'Sent: other_collection_method',
      'Free: never_charged',
      'Ends: ended',
      'Pauses: paused',
      'Other card: other_payment_method',
      'Later sent: other_collection_method',
      'Mid month: other_instant',
      'Trial: trial',
    ]);
    expect(shown.leftOut[0].explanation).toBe(
      'One is charged automatically, and the other is sent.',
    );
    expect(shown.leftOut[6].nextAt).toBe(timeline.day(36).getTime());
    await timeline.toDay(31);
    await expectAsShown(graphql, timeline, shown, await documentAfter(timeline, 0));
  });

  test('is empty where none follows, and tells why', async ({ session, graphql }) => {
    const { timeline, ids } = await aConsolidatingCustomer(session, 'sandbox_success', [{}]);
    const empty = { invoices: [], invoiceDate: null, currency: null, dueDate: null, total: 0 };
    const alone = await upcomingOf(graphql, timeline);
    expect(alone).toMatchObject({
      ...empty,
      leftOut: [{ subscriptionId: ids[0], reason: 'alone' }],
    });
    await timeline.toDay(9);
    const { id } = await timeline.subscribes({});
    const apart = await upcomingOf(graphql, timeline);
    expect(apart).toMatchObject({
      ...empty,
      leftOut: [{ reason: 'alone' }, { subscriptionId: id, reason: 'other_instant' }],
    });
    await timeline.toDay(80);
    expect(await documentsOf(timeline)).toEqual([]);
    await consolidates(timeline, false);
    const off = await upcomingOf(graphql, timeline);
    expect(off).toMatchObject({
      ...empty,
      leftOut: [{ reason: 'not_consolidated' }, { reason: 'not_consolidated' }],
    });
  });

  test('asks the tax service once for each invoice, and fails as billing does', async ({
    session,
    graphql,
    service,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [
      ...[{ unitPrice: 1_000 }, { unitPrice: 250 }],
    ]);
    await useService(session, service);
    const usual = service.answer;
    service.answer = (_call, response) => response.writeHead(503).end();
    const refused = await graphql(upcomingDocument, { customer: timeline.customer.id });
    expect(refused.errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE');
    service.answer = (call, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const rate = call.question.lines.some(({ amount }) => amount === 250) ? '7' : '19';
      response.end(JSON.stringify(rightAnswer(call.question, rate)));
    };
    const shown = await upcomingOf(graphql, timeline);
    expect(shown).toMatchObject({ subtotal: 1_250, taxAmount: 208, total: 1_458 });
    await timeline.toDay(31);
    await expectAsShown(graphql, timeline, shown, await documentAfter(timeline, 0));
    service.answer = usual;
  });

  test('is read by a token of its customer only, and an unknown one is not found', async ({
    session,
    graphql,
    gateway,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [{}, {}]);
    const other = await aCustomer(session);
    const { data } = await graphql(
      'mutation($customer: ID!) { createCustomerToken(customer: $customer) { token } }',
      { customer: timeline.customer.id },
    );
    const browser = graphqlOf(gateway, data.createCustomerToken.token);
    const own = await browser(upcomingDocument, { customer: timeline.customer.id });
    expect(own).toEqual(await graphql(upcomingDocument, { customer: timeline.customer.id }));
    expect(own.data.upcoming.invoices).toHaveLength(2);
    for (const [ask, customer] of [
      [browser, other.id],
      [graphql, 'cust_unknown'],
    ] as const) {
      const { errors } = await ask(upcomingDocument, { customer });
      expect(errors[0].extensions.code).toBe('NOT_FOUND');
    }
  });
});
