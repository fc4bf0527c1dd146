import { setTimeout as sleep } from 'node:timers/promises';
import { effort } from '../effort.ts';
import type { Random } from '../random.ts';
import { completeSession } from '../stripe/checkout.ts';
import { closeDispute, openDispute } from '../stripe/disputes.ts';
import type { Fault } from '../stripe/fake-stripe.ts';
import { createRefund, settleRefund } from '../stripe/refunds.ts';
import { type LiveShop, moneyJobs, type ShopProcess } from './live-shop.ts';

/** The faults that any request to Stripe may meet. */
export const allFaults: readonly Fault[] = [
  'reset',
  'lost',
  'hang',
  'error',
  'late error',
  'limit',
  'unavailable',
  'conflict',
];

const day = 86_400_000;

/** The instant at which a process is killed. */
interface Kill {
  /** After this many requests to Stripe. */
  readonly request: number;
  /** Before Stripe executes that request, after that without an answer, or some milliseconds after its answer. */
  readonly moment: 'before' | 'unanswered' | number;
}

const aKill = (random: Random): Kill => ({
  request: random.whole(1, 40),
  moment: random.one(['before', 'unanswered', 0, random.whole(1, 20), random.whole(20, 200)]),
});

/**
 * One life of a process: customers set up cards, subscribe, are charged, refunded and dispute, while requests to Stripe
 * fail. The process is killed at a random instant of it; what the killed process leaves behind is for the next one.
 */
export async function liveUntilKilled(shop: LiveShop, service: ShopProcess): Promise<Kill> {
  const { random, fake } = shop;
  await aSubscriber(shop, service, 'visa');
  const kill = aKill(random);
  const share = random.one([0, 0.1, 0.25]);
  const ended = service.ended();
  const isDead = { yes: false };
  const end = () => {
    isDead.yes = true;
    service.kill('SIGKILL');
  };
  let requests = 0;
  fake.faultOf = () => {
    // Nothing that a killed process has sent before is executed after its end.
    if (isDead.yes) return 'reset';
    requests += 1;
    if (requests === kill.request) {
      if (typeof kill.moment === 'number') setTimeout(end, kill.moment);
      else end();
      if (kill.moment === 'before') return 'reset';
      if (kill.moment === 'unanswered') return 'hang';
    }
    return random.next() < share ? random.one(allFaults) : undefined;
  };
  const disturbing = effort > 1 && random.next() < 0.5 ? disturb(shop, isDead) : undefined;
  for (let turn = 0; turn < 4 && !isDead.yes; turn++) {
    // A request to a killed process fails; what it has begun counts.
    await Promise.allSettled([
      newSubscriber(shop, service),
      refundOne(shop, service),
      disputeOne(shop),
      shop.run(service, moneyJobs),
      turn > 0 && shop.deliverEvents(service),
    ]);
    if (random.next() < 0.3) await shop.time.pass(31 * day);
  }
  end();
  await ended;
  await disturbing;
  // A message that a network has delayed does not arrive after the end of its sender.
  shop.network.cut();
  shop.network.resume();
  fake.faultOf = () => undefined;
  decideRefunds(shop);
  return kill;
}

/** With `EFFORT`, the network to Stripe cuts, delays and refuses connections, also in the midst of a request. */
async function disturb({ random, network }: LiveShop, isDead: { readonly yes: boolean }) {
  const moment = () => sleep(random.whole(50, 500));
  while (!isDead.yes) {
    await moment();
    const kind = random.next();
    if (kind < 0.3) network.cut(() => random.next() < 0.5);
    else if (kind < 0.5) {
      const release = network.hold(() => random.next() < 0.5);
      await moment();
      release();
    } else if (kind < 0.8) {
      network.pause();
      await moment();
      network.resume();
    } else {
      network.refuse(true);
      network.cut();
      await moment();
      network.refuse(false);
    }
  }
}

/** Refunds that take days end, and one that had succeeded fails after all. */
export function decideRefunds({ random, fake }: LiveShop) {
  for (const refund of fake.live.all('re')) {
    const isPending = refund.status === 'pending';
    if (isPending) settleRefund(fake.live, refund, random.one(['succeeded', 'failed']));
    else if (refund.status === 'succeeded' && random.next() < 0.05) {
      settleRefund(fake.live, refund, 'failed');
    }
  }
}

const created = `mutation ($customer: CreateCustomerInput!) { createCustomer(customer: $customer) { customer { id } } }`;
const setup = `mutation ($input: CreatePaymentMethodSetupInput!) {
  createPaymentMethodSetup(paymentMethodSetup: $input) { paymentMethodSetup { id url } } }`;
const completed = `mutation ($id: ID!) {
  completePaymentMethodSetup(id: $id) { paymentMethodSetup { status paymentMethodId } } }`;
const subscribed = `mutation ($customerId: ID!) { createSubscription(customerId: $customerId, priceSlug: "pro") { subscription { id status } } }`;
const product = `mutation { createProduct(product: { name: "Pro", slug: "pro" },
  price: { type: subscription, unitPrice: 2000, intervalUnit: month, slug: "pro" }) { product { id } } }`;
const refunded = `mutation ($id: ID!) { refundPayment(id: $id, partialAmount: 300) { payment { id } } }`;

export const aProduct = (shop: LiveShop, service: ShopProcess) => shop.done(service, product);

/** The id of a new customer. */
export async function aShopCustomer(shop: LiveShop, service: ShopProcess): Promise<string> {
  const externalId = crypto.randomUUID();
  const customer = { externalId, name: 'Ada', email: 'ada@example.com' };
  const data = await shop.done(service, created, { customer });
  return data.createCustomer.customer.id;
}

/** A customer enters a card on the hosted page and returns. */
async function setUpCard(
  shop: LiveShop,
  service: ShopProcess,
  customerId: string,
  card: Parameters<typeof completeSession>[2],
) {
  const urls = { returnUrl: 'https://shop.example/back', cancelUrl: 'https://shop.example/' };
  const { createPaymentMethodSetup: opened } = await shop.done(service, setup, {
    input: { customerId, ...urls },
  });
  const { id, url } = opened.paymentMethodSetup;
  completeSession(shop.fake.live, String(url).split('/').at(-1) ?? '', card);
  const data = await shop.done(service, completed, { id });
  return data.completePaymentMethodSetup.paymentMethodSetup;
}

async function subscribe(shop: LiveShop, service: ShopProcess, customerId: string) {
  return (await shop.done(service, subscribed, { customerId })).createSubscription.subscription;
}

/** A customer who enters a card and subscribes. */
export async function aSubscriber(
  shop: LiveShop,
  service: ShopProcess,
  card: Parameters<typeof completeSession>[2],
) {
  const id = await aShopCustomer(shop, service);
  await setUpCard(shop, service, id, card);
  return { id, subscription: await subscribe(shop, service, id) };
}

async function newSubscriber(shop: LiveShop, service: ShopProcess) {
  const card = shop.random.one([
    'visa',
    'visa',
    'insufficientFunds',
    'lostCard',
    'refundPending',
  ] as const);
  const id = await aShopCustomer(shop, service);
  await setUpCard(shop, service, id, card).catch(() => undefined);
  await subscribe(shop, service, id);
}

/** Refunds a part of a random charge: here, or in the Dashboard of Stripe. */
async function refundOne(shop: LiveShop, service: ShopProcess) {
  const { random, fake } = shop;
  const charges = shop
    .taken()
    .filter(({ amount, amount_refunded: back, disputed }) => !disputed && amount - back > 600);
  if (charges.length === 0 || random.next() < 0.3) return;
  const charge = random.one(charges);
  if (random.next() < 0.3) createRefund(fake.live, { charge: charge.id, amount: '200' });
  else await shop.done(service, refunded, { id: charge.metadata.payment_id });
}

async function disputeOne({ random, fake }: LiveShop) {
  const open = fake.live.all('du').filter(({ status }) => status === 'needs_response');
  if (open.length > 0)
    return closeDispute(fake.live, random.one(open), random.one(['won', 'lost']));
  const charges = fake.live
    .all('ch')
    .filter(
      ({ status, disputed, amount_refunded: back }) =>
        status === 'succeeded' && !disputed && back === 0,
    );
  if (charges.length > 0 && random.next() < 0.2) openDispute(fake.live, random.one(charges));
}
