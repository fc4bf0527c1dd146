import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import type {
  ChargeOutcome,
  ChargeRequest,
  RefundRequest,
} from '#domain/money/processing/port/charge-types.ts';
import type { PaymentProcessor } from '#domain/money/processing/port/payment-processor.ts';
import {
  ProcessorMisconfigured,
  ProcessorUnreachable,
} from '#domain/money/processing/port/processor-errors.ts';
import { useStripe } from '#domain/money/processing/stripe/client.ts';
import { stripeProcessor } from '#domain/money/processing/stripe/stripe-processor.ts';
import { verifyKey } from '#domain/money/processing/stripe/verify-key.ts';
import type { TestMethodName } from '../../../support/stripe/cards.ts';
import { completeSession, newMethod } from '../../../support/stripe/checkout.ts';
import { closeDispute } from '../../../support/stripe/disputes.ts';
import {
  type FakeStripe,
  type Fault,
  fakeKeys,
  startFakeStripe,
} from '../../../support/stripe/fake-stripe.ts';
import { settleDebit } from '../../../support/stripe/intents.ts';
import { settleRefund } from '../../../support/stripe/refunds.ts';

const day = 86_400_000;
let present = Date.UTC(2026, 10, 1);
let fake: FakeStripe;
let stripe: PaymentProcessor;
const session = () => ({ now: new Date(present) }) as Session;

beforeAll(async () => {
  fake = await startFakeStripe(() => present);
  useStripe({ apiBase: fake.url, timeoutMilliseconds: 1_000, maxNetworkRetries: 0 });
  stripe = stripeProcessor(fakeKeys.live);
});
afterAll(() => fake[Symbol.asyncDispose]());
beforeEach(() => {
  fake.faultOf = () => undefined;
  fake.seen.length = 0;
});

const aCustomer = () =>
  stripe.saveCustomer(session(), {
    idempotencyKey: `customer:${crypto.randomUUID()}`,
    customerId: 'cust_1',
    name: 'Ada',
    email: 'ada@example.com',
    reference: null,
  });

let count = 0;

/** A payment of 7.00 EUR with its stored reference, as the database keeps it. */
async function aPayment(method: TestMethodName, change: Partial<ChargeRequest> = {}) {
  const customerReference = await aCustomer();
  const { id: token, type } = newMethod(fake.live, method, customerReference);
  const id = `pym_${++count}`;
  const stored: { reference: string | null } = { reference: null };
  const request = (): ChargeRequest => ({
    idempotencyKey: `key-${id}`,
    customerReference,
    begunAt: new Date(Date.UTC(2026, 10, 1)),
    metadata: { payment_id: id, invoice_id: 'inv_1', organization_id: 'org_1' },
    amount: 700,
    currency: 'EUR',
    token,
    paymentMethodId: 'pm_own',
    paymentMethodType: type,
    offSession: true,
    description: 'Invoice 1',
    ...change,
    reference: stored.reference,
    onReference: async (reference) => {
      stored.reference = reference;
    },
  });
  const taken = () =>
    fake.live
      .all('ch')
      .filter(({ status, metadata }) => status === 'succeeded' && metadata.payment_id === id);
  return { id, request, stored, taken, token, customerReference };
}

const posts = () =>
  fake.seen.filter(({ route }) => route.startsWith('POST')).map(({ route }) => route);

describe('a charge', () => {
  test('is an intent whose id is stored before the confirmation moves money, with keys that stay the same', async () => {
    const payment = await aPayment('visa');
    fake.seen.length = 0;
    const order: string[] = [];
    const request = payment.request();
    const outcome = await stripe.charge(session(), {
      ...request,
      onReference: async (reference) => {
        order.push(
          `${reference} after ${posts().length} request, ${payment.taken().length} charges`,
        );
        await request.onReference(reference);
      },
    });
    expect(order).toEqual([`${payment.stored.reference} after 1 request, 0 charges`]);
    expect(outcome).toMatchObject({
      status: 'succeeded',
      reference: payment.stored.reference,
      chargeReference: payment.taken()[0]?.id,
      amount: 700,
      currency: 'EUR',
      methodData: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 },
      receiptUrl: expect.stringContaining('https://'),
      failureKind: null,
    });
    expect(fake.seen.map(({ route, key }) => [route, key])).toEqual([
      ['POST /v1/payment_intents', `key-${payment.id}:create`],
      ['POST /v1/payment_intents/:id/confirm', `key-${payment.id}:confirm:off`],
    ]);
    expect(fake.seen[0]?.params).toMatchObject({
      allowed_payment_method_types: ['card'],
      currency: 'eur',
    });
    expect(fake.seen[0]?.version).toBe('2026-10-28.endive');
    // Twice more: by the stored id, and after a loss of the id.
    expect(await stripe.charge(session(), payment.request())).toMatchObject({
      status: 'succeeded',
    });
    expect(await stripe.charge(session(), { ...payment.request(), reference: null })).toEqual(
      outcome,
    );
    present += 3 * day;
    expect(await stripe.charge(session(), { ...payment.request(), reference: null })).toEqual(
      outcome,
    );
    expect(await stripe.lookup(session(), { ...payment.request(), reference: null })).toEqual(
      outcome,
    );
    expect(payment.taken()).toHaveLength(1);
  });

  test('is executed once, whatever is lost on the way', async () => {
    const faults: Fault[] = [
      'reset',
      'lost',
      'hang',
      'error',
      'late error',
      'limit',
      'unavailable',
      'conflict',
    ];
    const plan = fc.array(fc.option(fc.constantFrom(...faults), { nil: undefined, freq: 2 }), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(plan, fc.boolean(), async (planned, losesId) => {
        fake.faultOf = () => undefined;
        const payment = await aPayment('visa');
        const left = [...planned];
        fake.faultOf = () => left.shift();
        let outcome: ChargeOutcome | undefined;
        for (let round = 0; round < 12 && outcome?.status !== 'succeeded'; round++) {
          const request = payment.request();
          const asked = losesId && round === 1 ? { ...request, reference: null } : request;
          outcome = await stripe
            .charge(session(), asked)
            .catch(() => stripe.lookup(session(), payment.request()))
            .catch(() => undefined);
        }
        fake.faultOf = () => undefined;
        expect(outcome?.status).toBe('succeeded');
        expect(payment.taken()).toHaveLength(1);
      }),
      { numRuns: 25 },
    );
  });

  test('that met errors of Stripe which it repeats for a day, and which made nothing, uses other keys', async () => {
    const payment = await aPayment('visa');
    const failing = ['error', undefined, 'error', undefined, undefined] as const;
    const left = [...failing];
    fake.faultOf = ({ route }) => (route.startsWith('POST') ? left.shift() : undefined);
    const outcomes: (string | undefined)[] = [];
    for (let round = 0; round < 3; round++) {
      const outcome = await stripe
        .charge(session(), payment.request())
        .catch((error: Error) => ({ status: error.name }));
      outcomes.push(outcome.status);
    }
    expect(outcomes).toEqual(['ProcessorUnreachable', 'ProcessorUnreachable', 'succeeded']);
    expect(payment.taken()).toHaveLength(1);
  });

  test('whose intent was made with an error of Stripe that it repeats for a day takes the money', async () => {
    const payment = await aPayment('visa');
    fake.faultOf = ({ key }) => (key?.endsWith(':create') ? 'late error' : undefined);
    expect(await stripe.charge(session(), payment.request())).toMatchObject({
      status: 'succeeded',
    });
    expect(payment.taken()).toHaveLength(1);
  });

  test('that Stripe declines is failed with the kind of its reason, and cannot be paid later', async () => {
    const expected: [TestMethodName, Partial<ChargeOutcome>][] = [
      [
        'insufficientFunds',
        { failureKind: 'soft', failureCode: 'insufficient_funds', adviceCode: 'try_again_later' },
      ],
      [
        'lostCard',
        {
          failureKind: 'hard',
          failureCode: 'card_declined',
          declineCode: 'lost_card',
          failureMessage: 'The card was declined',
        },
      ],
      ['fraudulent', { failureKind: 'hard', failureCode: 'card_declined' }],
      ['doNotHonorNever', { failureKind: 'hard', failureCode: 'do_not_honor' }],
      ['expired', { failureKind: 'card_data', failureCode: 'expired_card' }],
      [
        'authenticationAlways',
        { failureKind: 'authentication', failureCode: 'authentication_required' },
      ],
      ['authenticationOnSetup', { failureKind: 'authentication' }],
    ];
    for (const [method, outcome] of expected) {
      const payment = await aPayment(method);
      expect(await stripe.charge(session(), payment.request()), method).toMatchObject({
        status: 'failed',
        ...outcome,
      });
      expect(fake.live.get('pi', payment.stored.reference).status, method).toBe('canceled');
      // Read back, also by metadata alone, it is the same.
      const again = { ...payment.request(), reference: null };
      expect(await stripe.lookup(session(), again), method).toMatchObject({
        status: 'failed',
        ...outcome,
      });
      expect(await stripe.charge(session(), payment.request()), method).toMatchObject({
        status: 'failed',
        ...outcome,
      });
    }
  });

  test('that Stripe declines is not failed before it is canceled there, whatever is lost', async () => {
    const faults: Fault[] = ['reset', 'lost', 'hang', 'error', 'late error', 'limit', 'conflict'];
    for (const fault of faults) {
      const payment = await aPayment('insufficientFunds');
      fake.faultOf = ({ route }) => (route.endsWith('cancel') ? fault : undefined);
      const outcome = await stripe.charge(session(), payment.request()).catch(() => undefined);
      const looked = await stripe.lookup(session(), payment.request()).catch(() => undefined);
      const { status } = fake.live.get('pi', payment.stored.reference);
      for (const told of [outcome, looked]) if (told) expect(status, fault).toBe('canceled');
      fake.faultOf = () => undefined;
      expect(await stripe.lookup(session(), payment.request()), fault).toMatchObject({
        status: 'failed',
        failureCode: 'insufficient_funds',
      });
      expect(fake.live.get('pi', payment.stored.reference).status).toBe('canceled');
    }
  });

  test('that is wrong in itself is failed as a matter of the configuration', async () => {
    const tooSmall = await aPayment('visa', { amount: 20, currency: 'USD' });
    expect(await stripe.charge(session(), tooSmall.request())).toMatchObject({
      status: 'failed',
      failureKind: 'configuration',
      failureCode: 'amount_too_small',
    });
    const unfit = await aPayment('visa', { amount: 5_124, currency: 'KWD' });
    expect(await stripe.charge(session(), unfit.request())).toMatchObject({
      failureCode: 'amount_unfit',
    });
    const foreign = await aPayment('visa');
    const another = { ...foreign.request(), token: newMethod(fake.live, 'visa', 'cus_other').id };
    expect(await stripe.charge(session(), another)).toMatchObject({
      failureKind: 'configuration',
      failureCode: 'resource_missing',
    });
  });

  test('of a bank debit is processed for days, and the bank decides', async () => {
    const [good, bad] = [await aPayment('debit'), await aPayment('debitFails')];
    for (const { request, stored } of [good, bad]) {
      expect(await stripe.charge(session(), request())).toMatchObject({ status: 'processing' });
      expect(await stripe.cancel(session(), request())).toMatchObject({ status: 'processing' });
      settleDebit(fake.live, fake.live.get('pi', stored.reference));
    }
    expect(await stripe.lookup(session(), good.request())).toMatchObject({ status: 'succeeded' });
    expect(await stripe.lookup(session(), bad.request())).toMatchObject({
      status: 'failed',
      failureKind: 'hard',
      failureCode: 'account_closed',
    });
  });

  test('is canceled while it is open, and stays what it is when that is too late', async () => {
    const open = await aPayment('visa');
    fake.faultOf = ({ route }) => (route.endsWith('confirm') ? 'error' : undefined);
    await expect(stripe.charge(session(), open.request())).rejects.toThrow(ProcessorUnreachable);
    expect(await stripe.lookup(session(), open.request())).toBeUndefined();
    expect(await stripe.cancel(session(), open.request())).toMatchObject({ status: 'canceled' });
    expect(await stripe.cancel(session(), open.request())).toMatchObject({ status: 'canceled' });
    fake.faultOf = () => undefined;
    const paid = await aPayment('visa');
    await stripe.charge(session(), paid.request());
    expect(await stripe.cancel(session(), paid.request())).toMatchObject({ status: 'succeeded' });
    const never = await aPayment('visa');
    expect(await stripe.cancel(session(), never.request())).toBeUndefined();
  });

  test('of another account or with a refused key is never made again', async () => {
    const payment = await aPayment('visa');
    await stripe.charge(session(), payment.request());
    const other = stripeProcessor(fakeKeys.otherAccount);
    await expect(other.charge(session(), payment.request())).rejects.toThrow(
      ProcessorMisconfigured,
    );
    await expect(other.lookup(session(), payment.request())).rejects.toThrow(
      ProcessorMisconfigured,
    );
    const revoked = stripeProcessor('sk_live_fakeRevoked');
    const error = await revoked.charge(session(), payment.request()).catch(String);
    expect(error).toMatch(
      /^ProcessorMisconfigured: Stripe refuses the secret key \(401, req_\d+\)$/,
    );
  });
});

describe('a refund', () => {
  const refundOf = (
    reference: string | null,
    change: Partial<RefundRequest> = {},
  ): RefundRequest => ({
    idempotencyKey: `refund-${++count}`,
    reference: null,
    chargeKey: '',
    paymentReference: reference,
    chargeReference: null,
    amount: 200,
    currency: 'EUR',
    begunAt: new Date(present),
    metadata: { refund_id: `refund_${count}` },
    onReference: async () => {},
    ...change,
  });

  test('is made once, also when its answer is lost or its key forgotten', async () => {
    const payment = await aPayment('visa');
    await stripe.charge(session(), payment.request());
    const request = refundOf(payment.stored.reference);
    fake.faultOf = ({ route }) => (route === 'POST /v1/refunds' ? 'lost' : undefined);
    expect(await stripe.refund(session(), request)).toMatchObject({ status: 'succeeded' });
    fake.faultOf = ({ route }) => (route.includes('refunds') ? 'unavailable' : undefined);
    await expect(stripe.refund(session(), request)).rejects.toThrow(ProcessorUnreachable);
    fake.faultOf = () => undefined;
    expect(await stripe.refund(session(), request)).toMatchObject({ status: 'succeeded' });
    present += 2 * day;
    expect(await stripe.refund(session(), request)).toMatchObject({ status: 'succeeded' });
    const rest = refundOf(payment.stored.reference, { amount: 500 });
    expect(await stripe.refund(session(), rest)).toMatchObject({ status: 'succeeded' });
    expect(await stripe.refund(session(), rest)).toMatchObject({ status: 'succeeded' });
    const much = refundOf(payment.stored.reference, { amount: 1 });
    expect(await stripe.refund(session(), much)).toMatchObject({
      status: 'failed',
      failureCode: 'charge_already_refunded',
    });
    expect(fake.live.all('re').map(({ amount }) => amount)).toEqual([200, 500]);
  });

  test('of an amount that Stripe cannot move has failed', async () => {
    const payment = await aPayment('visa', { amount: 5_120, currency: 'KWD' });
    await stripe.charge(session(), payment.request());
    const unfit = refundOf(payment.stored.reference, { amount: 1_234, currency: 'KWD' });
    expect(await stripe.refund(session(), unfit)).toMatchObject({
      status: 'failed',
      failureCode: 'amount_unfit',
    });
  });

  test('that met an error of Stripe which it repeats for a day is made once, whether the error had made it or not', async () => {
    const payment = await aPayment('visa');
    await stripe.charge(session(), payment.request());
    const made = fake.live.all('re').length;
    for (const fault of ['error', 'late error'] as const) {
      const request = refundOf(payment.stored.reference);
      const faults: (Fault | undefined)[] = [fault];
      fake.faultOf = ({ route }) => (route === 'POST /v1/refunds' ? faults.shift() : undefined);
      const first = stripe.refund(session(), request);
      if (fault === 'error') await expect(first).rejects.toThrow(ProcessorUnreachable);
      expect(await stripe.refund(session(), request)).toMatchObject({ status: 'succeeded' });
      expect(await stripe.refund(session(), request)).toMatchObject({ status: 'succeeded' });
      await first.catch(() => undefined);
    }
    expect(fake.live.all('re')).toHaveLength(made + 2);
  });

  test('may be pending, and may fail after it has succeeded', async () => {
    const payment = await aPayment('refundPending');
    await stripe.charge(session(), payment.request());
    const request = refundOf(payment.stored.reference);
    const { reference, status } = await stripe.refund(session(), request);
    expect(status).toBe('pending');
    settleRefund(fake.live, fake.live.get('re', reference), 'succeeded');
    expect(await stripe.lookupRefund(session(), request)).toMatchObject({ status: 'succeeded' });
    settleRefund(fake.live, fake.live.get('re', reference), 'failed');
    expect(await stripe.readRefund(session(), reference ?? '')).toMatchObject({
      status: 'failed',
      failureCode: 'expired_or_canceled_card',
      refundId: request.metadata.refund_id,
      amount: 200,
      currency: 'EUR',
    });
  });

  test('of a disputed payment is refused; the dispute tells what it has withdrawn', async () => {
    const payment = await aPayment('disputed');
    await stripe.charge(session(), payment.request());
    expect(await stripe.refund(session(), refundOf(payment.stored.reference))).toMatchObject({
      status: 'failed',
      failureCode: 'charge_disputed',
    });
    const dispute = fake.live.all('du').at(-1);
    const opened = await stripe.readDispute(session(), dispute.id);
    expect(opened).toMatchObject({
      status: 'opened',
      paymentReference: payment.stored.reference,
      withdrawnAmount: 700,
      fee: 1_500,
      currency: 'EUR',
    });
    closeDispute(fake.live, dispute, 'won');
    expect(await stripe.readDispute(session(), dispute.id)).toMatchObject({
      status: 'won',
      withdrawnAmount: 0,
    });
    expect(await stripe.readDispute(session(), 'du_unknown1')).toBeUndefined();
  });
});

describe('a page', () => {
  const pageOf = (customerReference: string) => ({
    idempotencyKey: `page-${++count}`,
    customerReference,
    returnUrl: 'https://shop.example/back?from=card#here',
    cancelUrl: 'https://shop.example/',
    currency: 'EUR',
    metadata: { setup_id: 'setup_1' },
  });

  test('sets up a payment method that is charged without the customer afterwards', async () => {
    const customerReference = await aCustomer();
    const request = pageOf(customerReference);
    const page = await stripe.openSetup(session(), request);
    expect(await stripe.openSetup(session(), request)).toEqual(page);
    expect(fake.seen.at(-1)?.params).toMatchObject({
      mode: 'setup',
      ui_mode: 'hosted_page',
      success_url: 'https://shop.example/back?from=card&session_id={CHECKOUT_SESSION_ID}#here',
      setup_intent_data: { metadata: { setup_id: 'setup_1' } },
    });
    expect(await stripe.readSetup(session(), page.reference)).toEqual({
      status: 'open',
      method: null,
    });
    completeSession(fake.live, page.reference, 'authenticationOnSetup');
    const { status, method } = await stripe.readSetup(session(), page.reference);
    expect(status).toBe('completed');
    expect(method).toMatchObject({ type: 'card', data: { last4: '3155' }, customerReference });
    const payment = await aPayment('visa');
    const charged = { ...payment.request(), customerReference, token: method?.token ?? '' };
    expect(await stripe.charge(session(), charged)).toMatchObject({ status: 'succeeded' });
    await stripe.closePage(session(), page.reference);
    await stripe.detachMethod(session(), method?.token ?? '');
    await stripe.detachMethod(session(), method?.token ?? '');
    expect(await stripe.readMethod(session(), method?.token ?? '')).toMatchObject({
      customerReference: null,
    });
  });

  test('is opened again where another process asks with other addresses', async () => {
    const request = pageOf(await aCustomer());
    const page = await stripe.openSetup(session(), request);
    const other = { ...request, returnUrl: 'https://other.example/back' };
    expect((await stripe.openSetup(session(), other)).reference).not.toBe(page.reference);
  });

  test('takes a payment that the bank wants to be confirmed, and replaces the charge that waited', async () => {
    const payment = await aPayment('authenticationAlways');
    await stripe.charge(session(), payment.request());
    const request = {
      ...pageOf(payment.customerReference),
      amount: 700,
      description: 'Invoice 1',
      charge: payment.request(),
    };
    const page = await stripe.openPayment(session(), request);
    expect(page.url).toMatch(/^https:/);
    expect(await stripe.readPayment(session(), page.reference)).toMatchObject({
      status: 'open',
      outcome: null,
    });
    expect(completeSession(fake.live, page.reference, 'lostCard')).toBe(false);
    expect(await stripe.readPayment(session(), page.reference)).toMatchObject({
      status: 'open',
      outcome: { status: 'failed' },
    });
    completeSession(fake.live, page.reference, 'authenticationAlways');
    const read = await stripe.readPayment(session(), page.reference);
    expect(read).toMatchObject({
      status: 'completed',
      outcome: { status: 'succeeded', amount: 700 },
    });
    expect(read.method?.data).toMatchObject({ last4: '3184' });
    // The payment is found by its metadata, too, and no second page is opened for it.
    expect(await stripe.lookup(session(), payment.request())).toEqual(read.outcome);
    const second = { ...request, idempotencyKey: 'another' };
    await expect(stripe.openPayment(session(), second)).rejects.toThrow(ProcessorUnreachable);
    expect(payment.taken()).toHaveLength(1);
  });

  test('expires on demand and by itself; a deleted customer gets a new record', async () => {
    const customerReference = await aCustomer();
    const [closed, forgotten] = [pageOf(customerReference), pageOf(customerReference)];
    const { reference } = await stripe.openSetup(session(), closed);
    await stripe.closePage(session(), reference);
    await stripe.closePage(session(), reference);
    expect(await stripe.readSetup(session(), reference)).toEqual({
      status: 'expired',
      method: null,
    });
    const page = await stripe.openSetup(session(), forgotten);
    present = page.expiresAt.getTime();
    expect(await stripe.readSetup(session(), page.reference)).toMatchObject({ status: 'expired' });
    fake.live.get('cus', customerReference).deleted = true;
    const record = {
      idempotencyKey: 'customer:9',
      customerId: 'cust_9',
      name: 'B',
      email: 'b@example.com',
    };
    const first = await stripe.saveCustomer(session(), { ...record, reference: null });
    fake.live.get('cus', first).deleted = true;
    // The key still finds the deleted record.
    const second = await stripe.saveCustomer(session(), { ...record, reference: null });
    expect(second).not.toBe(first);
    expect(await stripe.hasCustomer(session(), second)).toBe(true);
    const again = await stripe.saveCustomer(session(), { ...record, reference: customerReference });
    expect(again).not.toBe(customerReference);
    expect(await stripe.hasCustomer(session(), customerReference)).toBe(false);
    expect(await stripe.saveCustomer(session(), { ...record, reference: again })).toBe(again);
  });

  test.for(['error', 'late error'] as const)(
    'a customer and a page that met an error of Stripe which it repeats for a day are made with another key (%s)',
    async (fault) => {
      const record = {
        idempotencyKey: `customer:${crypto.randomUUID()}`,
        customerId: 'cust_1',
        name: 'Ada',
        email: 'ada@example.com',
        reference: null,
      };
      const failOnce = (route: string) => {
        const faults: (Fault | undefined)[] = [fault];
        fake.faultOf = (request) => (request.route === route ? faults.shift() : undefined);
      };
      failOnce('POST /v1/customers');
      await expect(stripe.saveCustomer(session(), record)).rejects.toThrow(ProcessorUnreachable);
      const customer = await stripe.saveCustomer(session(), record);
      expect(await stripe.saveCustomer(session(), record)).toBe(customer);

      const request = pageOf(customer);
      failOnce('POST /v1/checkout/sessions');
      await expect(stripe.openSetup(session(), request)).rejects.toThrow(ProcessorUnreachable);
      const page = await stripe.openSetup(session(), request);
      expect(await stripe.openSetup(session(), request)).toEqual(page);
      expect(await stripe.readSetup(session(), page.reference)).toMatchObject({ status: 'open' });
    },
  );
});

test('lists of events and charges are complete and in order, page by page', async () => {
  const since = new Date(present);
  const payment = await aPayment('visa');
  for (let times = 0; times < 60; times++) {
    const id = `pym_list_${times}`;
    const request = {
      ...payment.request(),
      idempotencyKey: id,
      reference: null,
      metadata: { payment_id: id },
    };
    await stripe.charge(session(), request);
  }
  const { events } = await stripe.listEvents(session(), { since, after: null });
  const own = events.filter(({ object }) => object === 'charge');
  // Each payment has one event of its success and one of its fees; others are not used.
  expect(own).toHaveLength(120);
  expect(own[0]).toMatchObject({ paymentId: 'pym_list_0', livemode: true });
  const rest = await stripe.listEvents(session(), { since, after: events.at(-200)?.id ?? '' });
  expect(rest.events.map(({ id }) => id)).toEqual(events.slice(-199, -99).map(({ id }) => id));
  expect(rest.more).toBe(true);
  const range = { from: since, to: new Date(present + 1_000) };
  const first = await stripe.listCharges(session(), { ...range, after: null });
  expect([first.charges.length, first.more]).toEqual([60, false]);
  const { chargeReference } = first.charges[9] ?? {};
  const later = await stripe.listCharges(session(), { ...range, after: chargeReference ?? null });
  expect(later.charges).toEqual(first.charges.slice(10));
});

test('a key is verified: its shape, its mode, its account and its rights', async () => {
  const problem = (key: string, livemode = true) =>
    verifyKey(key, livemode).then(
      () => 'accepted',
      (error) => error.issues[0]?.message ?? error.message,
    );
  expect(await verifyKey(fakeKeys.live, true)).toEqual({
    accountReference: 'acct_fake1',
    name: 'Test shop',
    restricted: false,
  });
  expect(await problem('pk_live_fakeFakeFake')).toContain('publishable');
  expect(await problem('nonsense')).toContain('must be a secret key');
  expect(await problem(fakeKeys.test)).toContain('is a key of test mode');
  expect(await problem('sk_live_fakeRevoked')).toContain('wrong, expired or revoked');
  expect(await problem(fakeKeys.restricted)).toBe('accepted');
  fake.lacking.add('POST /v1/refunds/:id').add('GET /v1/events');
  expect(await problem(fakeKeys.restricted)).toBe(
    'lacks rights at Stripe: Charges and Refunds: write; Events: read',
  );
  fake.faultOf = () => 'reset';
  expect(await problem(fakeKeys.live)).toBe('Stripe did not answer; try again');
});
