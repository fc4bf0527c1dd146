import { reserveResource } from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { command } from '#domain/kernel/command.ts';
import {
  createPaymentMethod,
  keepPaymentMethod,
} from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { adjustSubscriptionInput } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { fillSeats } from './arrive.ts';
import { type Plan, plans, slugs } from './catalog.ts';
import { type Person, sessionOf, takeSteps, type World } from './world.ts';

type Step = () => Promise<unknown>;

/** The decisions of a month with their probabilities; a customer makes at most one at a time. */
const decisions: readonly (readonly [
  (world: World, person: Person) => Step | undefined,
  number,
])[] = [
  [upgrade, 0.05],
  [downgrade, 0.02],
  [cancel, 0.035],
  [loseMoney, 0.035],
  [addSeats, 0.03],
  [reserveSeat, 0.02],
];

const seatProbability = 0.3;

/**
 * Lets customers decide as in a month: they change plans, cancel, run out of money and fill seats. At most `most`
 * customers, by chance; all when absent.
 */
export async function decide(world: World, most = world.people.length) {
  const some = chosen(world, most);
  await takeSteps(some.flatMap((person) => choice(world, person) ?? []));
  const hiring = some.filter(
    ({ plan, chance }) => plan !== 'starter' && chance.is(seatProbability),
  );
  await fillSeats(world, hiring);
}

/** Makes each decision once, so that a first look shows each; the newest customer that can makes it. */
export async function decideEach(world: World) {
  const free = new Set(world.people.toReversed().filter(({ subscriptionId }) => subscriptionId));
  const steps = decisions.flatMap(([decision]) => {
    for (const person of free) {
      const step = decision(world, person);
      if (!step) continue;
      free.delete(person);
      return [step];
    }
    return [];
  });
  await takeSteps(steps);
}

function chosen({ people, chance }: World, most: number): readonly Person[] {
  if (most >= people.length) return people;
  return [...new Set(Array.from({ length: most }, () => chance.of(people)))];
}

/** The decision of a customer, by chance; undefined for most. */
function choice(world: World, person: Person): Step | undefined {
  if (!person.subscriptionId) return undefined;
  if (person.isShort) return person.chance.is(0.5) ? addGoodCard(world, person) : undefined;
  let at = person.chance.next();
  for (const [decision, share] of decisions) {
    at -= share;
    if (at < 0) return decision(world, person);
  }
  return undefined;
}

function upgrade(world: World, person: Person): Step | undefined {
  const plan = plans[plans.indexOf(person.plan ?? 'scale') + 1];
  return plan && adjust(world, person, [slugs.price(plan, 'month', person.isAbroad)], plan);
}

function downgrade(world: World, person: Person): Step | undefined {
  const plan = plans[plans.indexOf(person.plan ?? 'starter') - 1];
  return plan && adjust(world, person, [slugs.price(plan, 'month', person.isAbroad)], plan);
}

function addSeats(world: World, person: Person): Step | undefined {
  const { plan, isAbroad } = person;
  if (plan !== 'team' || isAbroad) return undefined;
  return adjust(world, person, [slugs.price(plan, 'month', false), 'more-seats'], plan);
}

/** An upgrade is applied immediately, anything else at the end of the period. */
function adjust(world: World, person: Person, priceSlugs: string[], plan: Plan): Step {
  const newSubscriptionItems = priceSlugs.map((priceSlug) => ({ priceSlug, quantity: 1 }));
  const input = { id: person.subscriptionId, adjustment: { timing: 'auto', newSubscriptionItems } };
  return async () => {
    await adjustSubscription(sessionOf(world), adjustSubscriptionInput.parse(input));
    person.plan = plan;
  };
}

/** A customer cancels at the end of its period; some change their mind. */
function cancel(world: World, { subscriptionId: id = '', chance }: Person): Step {
  const timing = 'at_end_of_current_billing_period' as const;
  const staysAfterAll = chance.is(0.2);
  return async () => {
    await cancelSubscription(sessionOf(world), { id, cancellation: { timing } });
    if (staysAfterAll) await uncancelSubscription(sessionOf(world), { id });
  };
}

/** The customer's card declines from now on, and the next payment fails. */
function loseMoney(world: World, person: Person): Step | undefined {
  if (!person.paysByCard) return undefined;
  const card = cardOf(person, 'sandbox_decline_insufficient_funds');
  return async () => {
    await command(sessionOf(world), (session) => keepPaymentMethod(session, card));
    person.isShort = true;
  };
}

/** The customer adds a card that pays what is due. */
function addGoodCard(world: World, person: Person): Step {
  const paymentMethod = cardOf(person, 'sandbox_success');
  return async () => {
    await createPaymentMethod(sessionOf(world), { paymentMethod });
    person.isShort = false;
  };
}

const cardOf = ({ customerId }: Person, token: string) =>
  ({ customerId, type: 'card', token, default: true }) as const;

/** A seat is reserved for a guest who has not answered yet. */
function reserveSeat(world: World, person: Person): Step | undefined {
  const { plan, subscriptionId, n } = person;
  if (plan === 'starter' || !subscriptionId) return undefined;
  const externalId = `guest@company-${n}.example`;
  const seat = { subscriptionId, resourceSlug: 'seats', externalId, ttlSeconds: 86_400 };
  return () => reserveResource(sessionOf(world), seat);
}
