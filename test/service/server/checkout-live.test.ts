// @module-tag long
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PaymentMethodSetup } from '#domain/model/money/payment-method-setup.ts';
import { checkCheckouts } from '#domain/money/commands/checkout-sessions/due-checkouts.ts';
import { connectProcessor } from '#domain/money/commands/processors/connect-processor.ts';
import { processNotices } from '#domain/money/commands/processors/process-notices.ts';
import { useStripe } from '#domain/money/processing/stripe/client.ts';
import { aLiveSession, aOneTimeProduct, aPriceOf, fresh } from '../../support/factories.ts';
import { aCheckout, visitor } from '../../support/screen/checkout.ts';
import type { TestMethodName } from '../../support/stripe/cards.ts';
import { completeSession } from '../../support/stripe/checkout.ts';
import { deliver } from '../../support/stripe/deliver.ts';
import { fakeKeys, startFakeStripe } from '../../support/stripe/fake-stripe.ts';
import { aKey } from '../../support/tenant.ts';
import { apiOf, testAlone } from '../../support/test.ts';

const secret = 'whsec_fakeFakeFake';

const test = testAlone('it runs jobs, which work for all organizations')
  .extend('fake', { scope: 'file' }, async ({}, { onCleanup }) => {
    const fake = await startFakeStripe();
    useStripe({ apiBase: fake.url, timeoutMilliseconds: 2_000, maxNetworkRetries: 0 });
    onCleanup(() => fake[Symbol.asyncDispose]());
    return fake;
  })
  .extend('live', async ({ session, fake: _ }) => {
    const live = await aLiveSession(session);
    const connection = { kind: 'stripe', secretKey: fakeKeys.live, webhookSecret: secret } as const;
    await connectProcessor(fresh(live), connection);
    return live;
  })
  .extend('visit', ({ gateway }) => visitor(gateway))
  .extend('sell', ({ gateway, live }) => {
    return async (fields: object) => aCheckout(apiOf(gateway, await aKey(live, 'secret')), fields);
  });

const statusOf = async (live: Session, id: string) =>
  (await fresh(live).em.findOneOrFail(CheckoutSession, id)).status;

/** The customer completes the page of the processor; returns where it sends the customer. */
async function completePage(
  live: Session,
  fake: { readonly live: Parameters<typeof completeSession>[0] },
  card: TestMethodName,
): Promise<string> {
  const [setup] = await fresh(live).em.find(
    PaymentMethodSetup,
    { status: 'open' },
    { orderBy: { position: 'desc' }, limit: 1 },
  );
  completeSession(fake.live, setup?.processorReference ?? '', card);
  const url = new URL(setup?.returnUrl ?? '');
  url.searchParams.set('setup', setup?.id ?? '');
  return url.href;
}

test('the page hands over to the processor, and the return pays once in any number of tabs', async ({
  fake,
  live,
  sell,
  visit,
}) => {
  const [price] = await (await aOneTimeProduct(live)).prices.loadItems();
  const { url, checkoutSession } = await sell({ anonymous: true, priceId: price?.id });
  const form = await visit(url);
  expect(form.text).toContain('Continue to payment');
  expect(form.text).not.toMatch(/sandbox_|Test mode/);
  const [over, again] = await Promise.all([visit(url, {}), visit(url, {})]);
  expect(over.text).toContain('0;url=https://checkout.stripe.example/c/cs_');
  expect(again.text).toContain('https://checkout.stripe.example/c/cs_');
  expect(fake.live.all('cs')).toHaveLength(1);
  expect((await visit(`${url}&canceled=1`)).text).toContain('Continue to payment');
  const back = await completePage(live, fake, 'visa');
  const tabs = await Promise.all(Array.from({ length: 6 }, () => visit(back)));
  // Each tab waits for the one that pays.
  for (const { status, text } of tabs) {
    expect(status).toBe(200);
    expect(text).toContain('Thank you');
  }
  expect(await statusOf(live, checkoutSession.id)).toBe('succeeded');
  const of = {
    customerId:
      (await fresh(live).em.findOneOrFail(CheckoutSession, checkoutSession.id)).customerId ?? '',
  };
  expect(await fresh(live).em.find(Payment, of)).toMatchObject([
    { amount: 5_000, status: 'succeeded', processor: 'stripe', offSession: false },
  ]);
});

test('a customer who does not return has bought the subscription all the same', async ({
  fake,
  live,
  sell,
  visit,
  gateway,
  database,
}) => {
  const priceId = await aPriceOf(live, { unitPrice: 2_000 });
  const { url, checkoutSession } = await sell({ anonymous: true, priceId });
  await visit(url, {});
  await completePage(live, fake, 'visa');
  for (const event of fake.live.all('evt'))
    await deliver(gateway.fetch as never, live.organizationId, event, { secret });
  const failures: unknown[] = [];
  const job = [
    database.orm.em,
    // The database rounds the instant of an event up.
    new Date(Date.now() + 1_000),
    'test',
    (error: unknown) => void failures.push(error),
  ] as const;
  await processNotices(...job);
  await checkCheckouts(...job);
  expect(failures).toEqual([]);
  expect(await statusOf(live, checkoutSession.id)).toBe('succeeded');
  expect((await visit(url)).text).toContain('Thank you');
});

test('an activation whose subscription has ended says so before the customer enters payment details', async ({
  fake,
  live,
  sell,
  visit,
  gateway,
}) => {
  const api = apiOf(gateway, await aKey(live, 'secret'));
  const customer = { name: 'Ada', email: 'ada@example.com', externalId: 'ended' };
  await api('POST', '/customers', { customer });
  const priceId = await aPriceOf(live, { unitPrice: 2_000 });
  const { body } = await api('POST', '/subscriptions', { customerExternalId: 'ended', priceId });
  const { url, checkoutSession } = await sell({
    type: 'activate_subscription',
    customerExternalId: 'ended',
    targetSubscriptionId: body.subscription.id,
  });
  const pages = fake.live.all('cs').length;
  expect((await visit(url)).text).toContain('Continue to payment');
  const cancellation = { timing: 'immediately' };
  await api('POST', `/subscriptions/${body.subscription.id}/cancel`, { cancellation });
  for (const answer of [await visit(url), await visit(url, {}), await visit(url)]) {
    expect(answer.status).toBe(410);
    expect(answer.text).toContain('The subscription has ended. Return to the shop');
    expect(answer.text).not.toContain('<form');
  }
  expect(fake.live.all('cs')).toHaveLength(pages);
  expect(await statusOf(live, checkoutSession.id)).toBe('failed');
});

test('a return while the processor does not answer asks to check again, and no second form', async ({
  fake,
  live,
  sell,
  visit,
}) => {
  const [price] = await (await aOneTimeProduct(live)).prices.loadItems();
  const { url, checkoutSession } = await sell({ anonymous: true, priceId: price?.id });
  await visit(url, {});
  const back = await completePage(live, fake, 'visa');
  fake.faultOf = () => 'unavailable';
  const waiting = await visit(back);
  fake.faultOf = () => undefined;
  expect(waiting).toMatchObject({ status: 200 });
  expect(waiting.text).toContain('The payment service does not answer at the moment');
  expect(waiting.text).not.toContain('<form');
  expect(await statusOf(live, checkoutSession.id)).toBe('open');
  expect((await visit(back)).text).toContain('Thank you');
});

test('a bank debit is in progress for days, and the page does not wait for it', async ({
  fake,
  live,
  sell,
  visit,
}) => {
  const [price] = await (await aOneTimeProduct(live)).prices.loadItems();
  const { url } = await sell({ anonymous: true, priceId: price?.id });
  await visit(url, {});
  const back = await completePage(live, fake, 'sepa');
  for (const answer of [await visit(back), await visit(url)]) {
    expect(answer.text).toContain('Payment in progress');
    expect(answer.text).toContain('Your bank needs some days for it.');
  }
});

test('an address of no checkout, or with another key, has one page', async ({
  sell,
  visit,
  live,
}) => {
  const [price] = await (await aOneTimeProduct(live)).prices.loadItems();
  const { url } = await sell({ anonymous: true, priceId: price?.id });
  const texts = new Set<string>();
  for (const wrong of [url.replace(/key=.*/, 'key=x'), url.replace(/\?.*/, ''), `${url}x`]) {
    const answer = await visit(wrong);
    expect(answer).toMatchObject({ status: 404 });
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    texts.add(answer.text);
  }
  expect(texts.size).toBe(1);
});
