import { createCustomer } from '#domain/customers/create-customer.ts';
import { createPaymentMethod } from '#domain/payment-methods/create-payment-method.ts';
import { createSubscription } from '#domain/subscriptions/create-subscription.ts';
import { Chance } from './chance.ts';
import { companyOf } from './people.ts';
import { type Person, type Plan, sessionOf, type World } from './world.ts';

const day = 86_400_000;

/** The cards of the sandbox that a new customer may have: most of them pay, and some cause work. */
const cards = [
  ['sandbox_success', 0.86],
  ['sandbox_decline_then_success', 0.06],
  ['sandbox_decline_insufficient_funds', 0.04],
  ['sandbox_requires_action', 0.01],
  ['sandbox_dispute_won', 0.01],
  ['sandbox_dispute_lost', 0.01],
  ['sandbox_decline_expired_card', 0.01],
] as const;

const plans: readonly (readonly [Plan, number])[] = [
  ['starter-monthly', 0.5],
  ['team-monthly', 0.32],
  ['scale-monthly', 0.13],
  ['scale-yearly', 0.05],
];

/** A new customer, which subscribes to a plan; some try it first, and some pay invoices by bank transfer. */
export async function arrive(world: World, n: number, at: Date) {
  const chance = new Chance(n);
  const plan = weighted(plans, chance.next());
  const card = weighted(cards, chance.next());
  const paysInvoices = plan !== 'starter-monthly' && chance.is(0.12);
  const hasTrial = chance.is(0.25);
  const staysFree = chance.is(0.08);
  const person: Person = {
    n,
    chance,
    customerId: await newCustomer(world, n, chance),
    subscriptionId: undefined,
    plan: undefined,
    pace: plan === 'starter-monthly' ? chance.from(50, 500) : chance.from(300, 4_000),
    seats: 0,
  };
  world.people.push(person);
  if (staysFree) return;
  const { customerId } = person;
  if (!paysInvoices) {
    const paymentMethod = { customerId, type: 'card' as const, token: card };
    await createPaymentMethod(await sessionOf(world), { paymentMethod });
  }
  await subscribe(world, person, plan, {
    ...(paysInvoices && { collectionMethod: 'send_invoice' as const, daysUntilDue: 14 }),
    ...(hasTrial && { trialEnd: new Date(at.getTime() + 14 * day) }),
  });
}

async function newCustomer(world: World, n: number, chance: Chance): Promise<string> {
  const input = {
    ...companyOf(n, chance),
    externalId: `demo_${n}`,
    testClockId: world.clockId,
  };
  const { customer } = await createCustomer(await sessionOf(world), { customer: input });
  return customer.id;
}

async function subscribe(
  world: World,
  person: Person,
  plan: Plan,
  options: Partial<Parameters<typeof createSubscription>[1]>,
) {
  const input = { customerId: person.customerId, priceSlug: plan, ...options };
  const subscription = await createSubscription(await sessionOf(world), input);
  person.subscriptionId = subscription.id;
  person.plan = plan;
}

/** The value in whose share a number from 0 to 1 lies. */
function weighted<T>(values: readonly (readonly [T, number])[], at: number): T {
  let sum = 0;
  for (const [value, share] of values) {
    sum += share;
    if (at < sum) return value;
  }
  return (values[0] as readonly [T, number])[0];
}
