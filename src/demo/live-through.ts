import { Invoice } from '#domain/invoices/invoice.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { Payment } from '#domain/payments/payment.ts';
import { refundPayment } from '#domain/payments/refund-payment.ts';
import { recordPayment } from '#domain/remittances/record-payment.ts';
import { claimResource } from '#domain/resource-claims/claim-resource.ts';
import { recordUsageEvents } from '#domain/rules/recording/record-usage-events.ts';
import { adjustSubscription } from '#domain/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/cancel-subscription.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { people as names } from './people.ts';
import { inLanes, type Person, type Plan, sessionOf, type World } from './world.ts';

const regions = ['eu-west', 'us-east', 'ap-south', 'sa-east'] as const;
const endpoints = ['/v1/search', '/v1/translate', '/v1/summarize'] as const;
const mostEvents = 500;

/** The plans that a customer moves to, up and down. */
const next: Readonly<Record<Plan, readonly [up: Plan, down: Plan]>> = {
  'starter-monthly': ['team-monthly', 'starter-monthly'],
  'team-monthly': ['scale-monthly', 'starter-monthly'],
  'scale-monthly': ['scale-yearly', 'team-monthly'],
  'scale-yearly': ['scale-yearly', 'scale-yearly'],
};

/**
 * Records the API calls that subscribed customers have made since the last time, `days` days ago. At most `most`
 * customers, by chance; all when absent.
 */
export async function useApi(
  world: World,
  label: string,
  days: number,
  weekday: number,
  most = world.people.length,
) {
  const quiet = weekday === 0 || weekday === 6 ? 0.3 : 1;
  const events = some(world, most).flatMap(({ n, subscriptionId, pace, chance }) => {
    if (!subscriptionId) return [];
    const amount = Math.max(1, Math.round(pace * days * quiet * (0.5 + chance.next())));
    const properties = { region: chance.of(regions), endpoint: chance.of(endpoints) };
    const transactionId = `demo-${label}-${n}`;
    return { subscriptionId, amount, transactionId, usageMeterSlug: 'api-calls', properties };
  });
  for (let at = 0; at < events.length; at += mostEvents) {
    const usageEvents = events.slice(at, at + mostEvents);
    await recordUsageEvents(await sessionOf(world), { usageEvents } as never);
  }
}

/** Customers by chance, each at most once. */
function some({ people, chance }: World, most: number): readonly Person[] {
  if (most >= people.length) return people;
  return [...new Set(Array.from({ length: most }, () => chance.of(people)))];
}

/** Lets customers decide: they change plans, cancel, fill seats and ask for their money. */
export async function decide(world: World, most = world.people.length) {
  await forgetEnded(world);
  const steps = some(world, most).flatMap((person) => {
    const step = choice(world, person, person.chance.next());
    return step ? [step] : [];
  });
  await inLanes(steps, (step) => permitted(step));
}

/** The decision of a customer, by chance; undefined for most. */
function choice(world: World, person: Person, at: number): (() => Promise<unknown>) | undefined {
  const { subscriptionId: id, plan } = person;
  if (!id || !plan) return undefined;
  if (at < 0.025) return () => move(world, person, next[plan][0]);
  if (at < 0.032) return () => move(world, person, next[plan][1]);
  if (at < 0.05) {
    const timing = 'at_end_of_current_billing_period' as const;
    return async () => cancelSubscription(await sessionOf(world), { id, cancellation: { timing } });
  }
  if (at < 0.065) return () => refundLast(world, person);
  if (at < 0.3 && plan !== 'starter-monthly' && person.seats < names.length) {
    return () => fillSeat(world, person, id);
  }
  return undefined;
}

async function move(world: World, person: Person, plan: Plan) {
  if (plan === person.plan || !person.subscriptionId) return;
  const adjustment = {
    timing: 'auto' as const,
    newSubscriptionItems: [{ priceSlug: plan, quantity: 1 }],
  };
  await adjustSubscription(await sessionOf(world), { id: person.subscriptionId, adjustment });
  person.plan = plan;
}

async function fillSeat(world: World, person: Person, subscriptionId: string) {
  const externalId = `${names[person.seats]}@demo-${person.n}.example`;
  person.seats += 1;
  const input = { subscriptionId, resourceSlug: 'seats', externalId };
  await claimResource(await sessionOf(world), input);
}

/** Refunds half of the newest payment, or all of it. */
async function refundLast(world: World, { customerId, chance }: Person) {
  const session = await sessionOf(world);
  const [payment] = await session.em.find(
    Payment,
    { customerId, status: 'succeeded' },
    { orderBy: { chargeDate: 'desc' }, limit: 1 },
  );
  if (!payment) return;
  const partialAmount = chance.is(0.5) ? Math.ceil(payment.amount / 2) : null;
  await refundPayment(session, { id: payment.id, partialAmount });
}

/** Most customers that get invoices pay them by bank transfer. */
export async function payInvoices(world: World) {
  const session = await sessionOf(world);
  const open = await session.em.find(Invoice, {
    customer: { testClock: world.clockId },
    collectionMethod: 'send_invoice',
    status: 'open',
  });
  const paid = open.filter(() => world.chance.is(0.6));
  await inLanes(paid, ({ id, total }) =>
    permitted(async () =>
      recordPayment(await sessionOf(world), {
        invoiceId: id,
        amount: total,
        method: 'bank_transfer',
      } as never),
    ),
  );
}

/** A subscription that has ended, by dunning or by a change of plan, is replaced by the present one. */
async function forgetEnded(world: World) {
  const { em } = await sessionOf(world);
  const current = await em.find(Subscription, {
    customer: { testClock: world.clockId },
    isFreePlan: false,
    status: ['active', 'trialing', 'past_due', 'cancellation_scheduled'],
  });
  const byCustomer = new Map(current.map(({ customerId, id }) => [customerId, id]));
  for (const person of world.people) person.subscriptionId = byCustomer.get(person.customerId);
}

/** A decision that the rules refuse, such as a second cancellation, is none. */
async function permitted(step: () => Promise<unknown>) {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}
