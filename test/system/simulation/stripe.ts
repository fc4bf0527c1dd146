import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Random } from '../../support/random.ts';
import type { TestMethodName } from '../../support/stripe/cards.ts';
import { completeSession } from '../../support/stripe/checkout.ts';
import { deliver } from '../../support/stripe/deliver.ts';
import { closeDispute, openDispute } from '../../support/stripe/disputes.ts';
import {
  type FakeStripe,
  type Fault,
  fakeKeys,
  startFakeStripe,
} from '../../support/stripe/fake-stripe.ts';
import type { Thing } from '../../support/stripe/state.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../faults/database-proxy.ts';
import { done, type GraphClient } from './client.ts';

const secret = 'whsec_fakeFakeFake';

/** The cards of customers at the processor, and its books. */
export interface Cards {
  /** A customer enters a card on the page of a set-up. */
  enter(url: string): void;
  /** The bank of a customer treats the card as one of the test cards from now on. */
  behave(customerId: string, name: TestMethodName): void;
  /** A customer pays with a card on the page of a payment. Returns whether the bank accepts it. */
  pay(url: string, name: TestMethodName): boolean;
  /** The bank objects to the charge of a payment for an invoice. */
  object(customerId: string, invoiceId: string, paymentId: string): void;
  /** The bank decides about its objection. */
  decide(invoiceId: string, status: 'won' | 'lost'): void;
  /** The money that the processor has charged to a customer, and refunded. */
  booksOf(customerId: string): { readonly charges: number[]; readonly refunded: number };
}

/** A copy of Stripe with an account in test mode, and a network between it and each process. */
export interface SimulatedStripe extends AsyncDisposable {
  readonly fake: FakeStripe;
  readonly networks: readonly DatabaseProxy[];
  readonly cards: Cards;
}

export async function openStripe(processCount: number): Promise<SimulatedStripe> {
  await using opened = new AsyncDisposableStack();
  const fake = opened.use(await startFakeStripe());
  const networks: DatabaseProxy[] = [];
  for (let place = 0; place < processCount; place++) {
    networks.push(opened.use(await openDatabaseProxy(fake.url)));
  }
  const state = fake.test;
  const recordsOf = (customerId: string): string[] =>
    state
      .all('cus')
      .filter(({ metadata }) => metadata.customer_id === customerId)
      .map(({ id }) => id);
  const ofCustomer = (prefix: 'pm' | 'ch', customerId: string) => {
    const records = recordsOf(customerId);
    return state.all(prefix).filter(({ customer }) => records.includes(customer));
  };
  const disputes = new Map<string, Thing>();
  const pageOf = (url: string) => url.split('/').at(-1) ?? '';
  const kept = opened.move();
  return {
    fake,
    networks,
    cards: {
      enter(url) {
        completeSession(state, pageOf(url), 'visa');
      },
      pay: (url, name) => completeSession(state, pageOf(url), name),
      object(customerId, invoiceId, paymentId) {
        const charge = ofCustomer('ch', customerId).find(
          ({ status, metadata }) => status === 'succeeded' && metadata.payment_id === paymentId,
        );
        disputes.set(invoiceId, openDispute(state, charge));
      },
      decide(invoiceId, status) {
        closeDispute(state, disputes.get(invoiceId), status);
      },
      behave(customerId, name) {
        for (const method of ofCustomer('pm', customerId)) method.test_name = name;
      },
      booksOf(customerId) {
        const taken = ofCustomer('ch', customerId).filter(({ status }) => status === 'succeeded');
        return {
          charges: taken.map(({ amount }): number => amount),
          refunded: taken.reduce((sum, charge) => sum + charge.amount_refunded, 0),
        };
      },
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Connects the organization of a client to the account. */
export async function connectStripe(ask: GraphClient) {
  const query = `mutation ($key: String!, $secret: String!) {
    connectProcessor(kind: stripe, secretKey: $key, webhookSecret: $secret) { processorAccount { id } } }`;
  done(await ask(query, { key: fakeKeys.test, secret }));
}

interface Delivering {
  readonly fake: FakeStripe;
  readonly organizationId: string;
  readonly address: () => string;
  readonly random: Random;
  readonly stop: AbortSignal;
  /** An event whose signature seems too old, or early, is refused. */
  readonly clocks: { readonly areWrong: boolean };
}

/**
 * Sends most events to the endpoint, in any order and some of them twice, until `stop`. Each is sent until it is
 * received; those that are left out are for the lookups. Returns how many were received.
 */
export async function deliverNotices(options: Delivering): Promise<number> {
  const { fake, random, stop } = options;
  let [known, received] = [0, 0];
  while (!stop.aborted) {
    const all = fake.test.all('evt');
    const news = all.slice(known).filter(() => random.next() < 0.7);
    known = all.length;
    const sent = news.flatMap((event) => (random.next() < 0.3 ? [event, event] : [event]));
    for (const event of sent.toSorted(() => random.next() - 0.5)) {
      received += await deliverUntilReceived(options, event);
    }
    await sleep(200);
  }
  return received;
}

async function deliverUntilReceived(
  { organizationId, address, stop, clocks }: Delivering,
  event: Thing,
): Promise<number> {
  const to = (url: string, init: RequestInit) =>
    fetch(url.replace('http://test', address()), { ...init, signal: AbortSignal.timeout(5_000) });
  while (!stop.aborted) {
    const status = await deliver(to, organizationId, event, { secret }).catch(() => undefined);
    if (status === 200) return 1;
    if (status !== undefined) expect(clocks.areWrong ? [400, 503] : [503]).toContain(status);
    await sleep(200);
  }
  return 0;
}

/** The target of a fault at the processor. */
export interface StripeTargets extends Pick<SimulatedStripe, 'fake' | 'networks'> {
  readonly random: Random;
}

/** The faults of single requests; a request that is never answered is that of a network that delays. */
const faultsOfRequests: readonly Fault[] = [
  'reset',
  'lost',
  'error',
  'late error',
  'limit',
  'unavailable',
  'conflict',
];

/** Faults of the processor and of the network to it, by name. All of them leave it as it was. */
export const stripeFaults: Readonly<Record<string, (targets: StripeTargets) => Promise<unknown>>> =
  {
    'connections to the processor are cut': async ({ networks, random }) => {
      for (const network of networks) network.cut(() => random.next() < 0.6);
    },

    'the processor cannot be reached': async ({ networks, random }) => {
      for (const network of networks) {
        network.refuse(true);
        network.cut();
      }
      await sleep(random.whole(100, 1_500));
      for (const network of networks) network.refuse(false);
    },

    'the network to the processor delays all packets': async ({ networks, random }) => {
      const network = random.one(networks);
      network.pause();
      await sleep(random.whole(200, 2_000));
      network.resume();
    },

    'requests to the processor are overtaken by others': async ({ networks, random }) => {
      const releases = networks.map((network) => network.hold(() => random.next() < 0.5));
      await sleep(random.whole(50, 1_000));
      for (const release of releases) release();
    },

    'the processor answers with errors, and loses answers': async ({ fake, random }) => {
      fake.faultOf = () => (random.next() < 0.4 ? random.one(faultsOfRequests) : undefined);
      await sleep(random.whole(200, 2_000));
      fake.faultOf = () => undefined;
    },
  };
