import { expect, test } from 'vitest';
import { Dispute } from '#domain/model/money/dispute.ts';
import { effort, seed as first } from '../support/effort.ts';
import { fresh } from '../support/factories.ts';
import { LiveShop, moneyJobs } from '../support/live/live-shop.ts';
import {
  allFaults,
  aProduct,
  aShopCustomer,
  aSubscriber,
  decideRefunds,
  liveUntilKilled,
} from '../support/live/shop-life.ts';
import { expectSameBooks } from '../support/live/stripe-books.ts';
import { randomOf } from '../support/random.ts';
import { completeSession } from '../support/stripe/checkout.ts';
import { closeDispute, openDispute } from '../support/stripe/disputes.ts';

const minute = 60_000;
const day = 86_400_000;

/** 200 lives: `EFFORT=50 npm test -- stripe-process`. Each shop has few, since its customers become more and more. */
const lives = 4;
const seeds = Array.from({ length: Math.max(1, effort) }, (_, place) => first + place);

test.for(seeds)(
  'SIGKILL at any instant of charging, refunding and notices, and faults at every call of Stripe: the books of the next process are those of Stripe (seed %s)',
  {
    // With EFFORT the network adds waits to each request.
    timeout: effort > 1 ? 1_200_000 : 540_000,
  },
  async (seed) => {
    await using shop = await LiveShop.open(randomOf(seed));
    let service = await shop.start();
    await shop.connectStripe(service);
    await aProduct(shop, service);
    for (let life = 0; life < lives; life++) {
      const kill = await liveUntilKilled(shop, service);
      service = await shop.start();
      await shop.settle(service, 2);
      // The killed process may have left refunds to the next one, and those may take days, too.
      decideRefunds(shop);
      await shop.settle(service, 3);
      try {
        await expectSameBooks(shop.session, shop.fake.live);
      } catch (error) {
        (error as Error).message +=
          `\nafter life ${life} of seed ${seed}, killed ${JSON.stringify(kill)}`;
        throw error;
      }
    }
    expect(shop.taken().length).toBeGreaterThanOrEqual(lives);
  },
);

test(`two processes with one account bill and reconcile at the same instant, and clocks differ by minutes: one charge for each run (seed ${first})`, async () => {
  await using shop = await LiveShop.open(randomOf(first));
  const { fake, random, time } = shop;
  // The machine of the second process is late, and Stripe is early or late.
  const skewed = new URL('./faults/skewed-clock.ts?milliseconds=-420000', import.meta.url).href;
  const both = await Promise.all([shop.start(), shop.start({}, ['--import', skewed])]);
  const [one, other] = both;
  await shop.connectStripe(one);
  await aProduct(shop, one);
  await Promise.all(both.map((service) => aSubscriber(shop, service, 'visa')));
  await Promise.all(both.map((service) => aSubscriber(shop, service, 'refundPending')));
  const start = shop.taken().length;
  for (const skew of [-4 * minute, 4 * minute]) {
    fake.live.now = () => time.now() + skew;
    await time.pass(31 * day);
    fake.faultOf = () => (random.next() < 0.1 ? random.one(allFaults) : undefined);
    for (let round = 0; round < 2; round++) {
      await Promise.all(both.map((service) => shop.run(service, moneyJobs)));
      const events = fake.live.all('evt').slice(-20);
      const signedAt = new Date(fake.live.now());
      const sent = both.flatMap((service) =>
        events.map((event) => shop.deliver(service, event, signedAt)),
      );
      expect(new Set(await Promise.all(sent))).toEqual(new Set([200]));
      await time.pass(2 * 60 * minute);
    }
    fake.faultOf = () => undefined;
    for (let round = 0; round < 5; round++) {
      await Promise.all(both.map((service) => shop.round(service)));
    }
    await expectSameBooks(shop.session, fake.live);
  }
  expect(shop.taken()).toHaveLength(start + 2 * 4);

  // A signature that is too old by our clock is refused, and its event is found in the list.
  fake.live.now = () => time.now() - 6 * minute;
  const dispute = openDispute(fake.live, shop.taken()[0]);
  const [event] = fake.live.all('evt').slice(-2);
  // A process reads the time of the database every 10 seconds, and months may have passed in this test since.
  expect(await shop.deliver(other, event, new Date(fake.live.now() - 100 * day))).toBe(400);
  await Promise.all(both.map((service) => shop.run(service, ['reconcile-processors'])));
  await Promise.all(both.map((service) => shop.run(service, moneyJobs)));
  const disputes = await fresh(shop.session).em.find(Dispute, {});
  expect(disputes).toMatchObject([{ processorReference: dispute.id, status: 'opened' }]);
}, 300_000);

const invoicesOf = `query ($id: ID!) { invoices(first: 50, where: { customer: { is: $id } }) {
  nodes { id status total paymentActionUrl creditNotes { nodes { refundedAmount } } } } }`;
const booksOf = 'query ($id: ID!) { books(customerId: $id) { agree currency } }';
const refund =
  'mutation ($id: ID!) { refundPayment(id: $id, partialAmount: 500) { payment { id } } }';

test('a business takes real money: hosted set-up, periods, 3-D Secure, a dispute, a refund with a kill in its midst, and JPY by two transfers; the books agree to the minor unit', async () => {
  await using shop = await LiveShop.open(randomOf(1));
  const { fake, time } = shop;
  let service = await shop.start();
  await shop.connectStripe(service);
  await aProduct(shop, service);
  const { id, subscription } = await aSubscriber(shop, service, 'visa');
  expect(subscription.status).toBe('active');
  const invoices = async () => (await shop.done(service, invoicesOf, { id })).invoices.nodes;
  await time.pass(31 * day);
  await shop.settle(service, 1);
  expect(shop.taken()).toHaveLength(2);

  // The bank wants the customer once.
  const card = fake.live.all('pm')[0];
  card.test_name = 'authenticationAlways';
  await time.pass(31 * day);
  await shop.settle(service, 1);
  const waiting = (await invoices()).find(
    (invoice: { paymentActionUrl: string | null }) => invoice.paymentActionUrl,
  );
  expect(waiting.status).toBe('awaiting_payment_confirmation');
  completeSession(fake.live, waiting.paymentActionUrl.split('/').at(-1), 'visa');
  card.test_name = 'visa';
  await shop.settle(service, 1);
  await time.pass(31 * day);
  await shop.settle(service, 1);
  const taken = shop.taken();
  expect(taken.map(({ amount }) => amount)).toEqual([2_000, 2_000, 2_000, 2_000]);

  const dispute = openDispute(fake.live, taken[0]);
  await shop.settle(service, 1);
  closeDispute(fake.live, dispute, 'lost');
  fake.faultOf = ({ route }) => {
    if (route !== 'POST /v1/refunds') return undefined;
    service.kill('SIGKILL');
    return 'hang';
  };
  const wanted = taken[1].metadata.payment_id;
  await shop.done(service, refund, { id: wanted }).catch(() => undefined);
  await service.ended();
  fake.faultOf = () => undefined;
  service = await shop.start();
  await shop.settle(service, 2);
  expect(fake.live.all('re').map(({ amount }) => amount)).toEqual([500]);
  const noted = (await invoices()).flatMap(
    ({ creditNotes }: { creditNotes: { nodes: object[] } }) => creditNotes.nodes,
  );
  expect(noted).toMatchObject([{ refundedAmount: 2_000 }, { refundedAmount: 500 }]);
  await expectSameBooks(shop.session, fake.live);
  expect((await shop.done(service, booksOf, { id })).books).toEqual([
    { agree: true, currency: 'USD' },
  ]);

  const japan = await payInYen();
  expect((await shop.done(service, booksOf, { id: japan })).books).toEqual([
    { agree: true, currency: 'JPY' },
  ]);

  /** A customer whose invoice is sent pays it by two transfers. */
  async function payInYen(): Promise<string> {
    await shop.done(
      service,
      `mutation { createProduct(product: { name: "Tokyo", slug: "tokyo" },
        price: { type: subscription, unitPrice: 5000, currency: "JPY", intervalUnit: month, slug: "tokyo" }) { product { id } } }`,
    );
    const id = await aShopCustomer(shop, service);
    const sent = `mutation ($id: ID!) { createSubscription(customerId: $id, priceSlug: "tokyo",
      collectionMethod: send_invoice, daysUntilDue: 10) { subscription { id status } } }`;
    await shop.done(service, sent, { id });
    const [invoice] = (await shop.done(service, invoicesOf, { id })).invoices.nodes;
    expect(invoice).toMatchObject({ status: 'open', total: 5_000 });
    const record = `mutation ($id: ID!, $amount: SafeInt!) { recordPayment(invoiceId: $id, amount: $amount,
      method: bank_transfer) { remittance { id } } }`;
    for (const amount of [1_999, 3_001]) {
      await shop.done(service, record, { id: invoice.id, amount });
    }
    const [paid] = (await shop.done(service, invoicesOf, { id })).invoices.nodes;
    expect(paid.status).toBe('paid');
    return id;
  }
}, 300_000);
