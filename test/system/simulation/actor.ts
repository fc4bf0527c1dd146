import { expect } from 'vitest';
import type { Random } from '../../support/random.ts';
import { type Act, actsOf } from './acts.ts';
import { advance, decided } from './advance.ts';
import { hearDecisions, rareActs } from './bank-acts.ts';
import { done, type GraphClient } from './client.ts';
import type { Clocks } from './clocks.ts';
import { compare } from './compare.ts';
import { Model, type Plan } from './model.ts';
import type { Cards } from './stripe.ts';

/** The catalog that the actors use. */
export interface Catalog {
  readonly plans: readonly [Plan, Plan];
  readonly resourceSlug: string;
  readonly usageMeterSlug: string;
  /** Minor units for each unit of usage. */
  readonly usagePrice: number;
  /** Whether a subscription ends after the last retry of a charge, instead of staying unpaid. */
  readonly endsUnpaid: boolean;
}

export interface Actor {
  readonly name: string;
  readonly random: Random;
  readonly ask: GraphClient;
  readonly catalog: Catalog;
  /** The cards at the connected processor; undefined for customers of the sandbox. */
  readonly cards?: Cards;
  /** Whether its customers live at the present of the database, instead of on test clocks. */
  readonly atPresent?: boolean;
  readonly clocks: Clocks;
  readonly stop: AbortSignal;
  /** Reports each compared answer. */
  readonly onAnswer: () => void;
}

/** One customer, and the model of it. */
export interface Life extends Actor {
  readonly model: Model;
  readonly subscriptionId: string;
  readonly customerId: string;
  /** The test clock of the customer; undefined at the present. */
  readonly clockId: string | undefined;
}

const longestLifeSteps = 25;

/**
 * Lives as one customer after the other on a test clock, and compares each answer with the model. No other caller
 * touches its customers, so the model knows every answer, whatever fails meanwhile. Returns the number of lives.
 */
export async function live(actor: Actor): Promise<number> {
  const acts = actsOf(actor);
  // The rare acts are a part of each life, however short.
  const first = actor.cards ? rareActs : [];
  for (let round = 0; ; round++) {
    const life = await (actor.atPresent
      ? actor.clocks.whileBuying(() => begin(actor, round))
      : begin(actor, round));
    await compare(life);
    for (let step = 0; step < longestLifeSteps && !actor.stop.aborted; step++) {
      if (life.model.status === 'canceled') break;
      const act: Act = first[step] ?? actor.random.one(acts);
      await named(`${act.name} of ${life.name}, life ${round}, step ${step}`, async () => {
        await act(life);
        await compare(life);
      });
    }
    await hearDecisions(life);
    if (actor.stop.aborted) return round + 1;
  }
}

/** Names the act of an answer that differs from the model. */
async function named(name: string, work: () => Promise<unknown>) {
  try {
    await work();
  } catch (error) {
    (error as Error).message += `\n${name}`;
    throw error;
  }
}

async function begin(actor: Actor, round: number): Promise<Life> {
  const { ask, random, catalog, name, atPresent } = actor;
  const frozenTime = Date.UTC(2026, 0, random.whole(1, 31), random.whole(0, 23));
  const clockId = atPresent ? undefined : await aTestClock(actor, frozenTime);
  const customer = {
    name,
    externalId: `${name}-${round}`,
    email: `${name}@example.com`,
    ...(clockId && { testClockId: clockId }),
  };
  const created = done(
    await ask(
      'mutation($customer: CreateCustomerInput!) { createCustomer(customer: $customer) { customer { id } } }',
      { customer },
    ),
  );
  const customerId = created.createCustomer.customer.id;
  await addCard(actor, customerId);
  const plan = random.one(catalog.plans);
  const bought = done(
    await ask(
      `mutation($customerId: ID!, $priceSlug: String!) {
        createSubscription(customerId: $customerId, priceSlug: $priceSlug) { subscription { id } } }`,
      { customerId, priceSlug: plan.slug },
    ),
  );
  const subscriptionId = bought.createSubscription.subscription.id;
  const life = { ...actor, subscriptionId, customerId, clockId };
  if (clockId) {
    const model = new Model(new Date(frozenTime), plan, catalog.usagePrice);
    await advance({ ...life, model }, frozenTime + 60_000);
    return { ...life, model };
  }
  await decided(life);
  const { subscription } = done(
    await ask('query($id: ID!) { subscription(id: $id) { currentBillingPeriodStart } }', {
      id: subscriptionId,
    }),
  );
  const start = new Date(subscription.currentBillingPeriodStart);
  return { ...life, model: new Model(start, plan, catalog.usagePrice) };
}

async function aTestClock({ ask, name }: Actor, frozenTime: number): Promise<string> {
  const {
    createTestClock: { testClock },
  } = done(
    await ask(
      'mutation($testClock: CreateTestClockInput!) { createTestClock(testClock: $testClock) { testClock { id } } }',
      { testClock: { name, frozenTime } },
    ),
  );
  return testClock.id;
}

/** The customer enters a card: on the page of the connected processor, or with a token of the sandbox. */
async function addCard({ ask, cards }: Actor, customerId: string) {
  if (!cards) {
    done(
      await ask(
        'mutation($paymentMethod: CreatePaymentMethodInput!) { createPaymentMethod(paymentMethod: $paymentMethod) { paymentMethod { id } } }',
        { paymentMethod: { customerId, type: 'card', token: 'sandbox_success' } },
      ),
    );
    return;
  }
  const urls = { returnUrl: 'https://shop.example/back', cancelUrl: 'https://shop.example/' };
  const { createPaymentMethodSetup } = done(
    await ask(
      `mutation($setup: CreatePaymentMethodSetupInput!) {
        createPaymentMethodSetup(paymentMethodSetup: $setup) { paymentMethodSetup { id url } } }`,
      { setup: { customerId, ...urls } },
    ),
  );
  const { id, url } = createPaymentMethodSetup.paymentMethodSetup;
  cards.enter(String(url));
  const { completePaymentMethodSetup } = done(
    await ask(
      `mutation($id: ID!) { completePaymentMethodSetup(id: $id) { paymentMethodSetup { status } } }`,
      { id },
    ),
  );
  expect(completePaymentMethodSetup.paymentMethodSetup.status).toBe('completed');
}
