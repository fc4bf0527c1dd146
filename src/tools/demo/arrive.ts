import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { command } from '#domain/kernel/command.ts';
import { keepPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import {
  createCustomer,
  createCustomerInput,
} from '#domain/platform/commands/customers/create-customer.ts';
import { subscribe } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { createSubscriptionInput } from '#domain/subscriptions/commands/subscriptions/create-subscription-input.ts';
import { addMonths } from '#domain/subscriptions/periods/utc-calendar.ts';
import { type Plan, slugs, yearlyPlans } from './catalog.ts';
import { Chance } from './chance.ts';
import { companyOf, holders } from './people.ts';
import { type Person, together, type World } from './world.ts';

/** The code of the discount that some new customers redeem. */
export const welcomeCode = 'WELCOME20';

/** The cards of the sandbox that a new customer may have: most of them pay, and some cause work. */
const cards = [
  ['sandbox_success', 0.885],
  ['sandbox_decline_then_success', 0.04],
  ['sandbox_processing_success', 0.02],
  ['sandbox_decline_insufficient_funds', 0.02],
  ['sandbox_requires_action', 0.005],
  ['sandbox_dispute_won', 0.01],
  ['sandbox_dispute_lost', 0.01],
  ['sandbox_decline_expired_card', 0.01],
] as const;

const firstPlans = [
  ['starter', 0.5],
  ['team', 0.34],
  ['scale', 0.16],
] as const;

/** Some new customers, which subscribe to a plan; some try it first, some stay free, and some pay by bank transfer. */
export async function arrive(world: World, count: number, at: Date) {
  const first = Math.max(world.first, ...world.people.map(({ n }) => n + world.step));
  const numbers = Array.from({ length: count }, (_, place) => first + place * world.step);
  const comers = numbers.map((n) => choices(world, n, at));
  const created = await together(world, comers, (session, { customer }) =>
    createCustomer(session, createCustomerInput.parse({ customer })),
  );
  const people = comers.flatMap((comer) => {
    const customerId = created.get(comer)?.customer.id;
    return customerId ? [{ ...comer, person: personOf(comer, customerId, at) }] : [];
  });
  world.people.push(...people.map(({ person }) => person));
  await together(
    world,
    people.filter(({ paysByCard }) => paysByCard),
    (session, { token, person: { customerId } }) =>
      command(session, (session) =>
        keepPaymentMethod(session, { customerId, type: 'card', token }),
      ),
  );
  const buyers = people.filter(({ staysFree }) => !staysFree);
  const subscribed = await together(world, buyers, (session, { person, terms }) => {
    const input = createSubscriptionInput.parse({ customerId: person.customerId, ...terms });
    return command(session, (session) => subscribe(session, input));
  });
  for (const [{ person, plan }, { id }] of subscribed) {
    person.subscriptionId = id;
    person.plan = plan;
  }
  await fillSeats(
    world,
    [...subscribed.keys()].map(({ person }) => person).filter(({ plan }) => plan !== 'starter'),
  );
}

/** The company of a new customer, and its choices. */
function choices({ clockId, abroad }: World, n: number, at: Date) {
  const chance = new Chance(n);
  const company = companyOf(n, chance);
  const plan = chance.weighted<Plan>(firstPlans);
  const isAbroad = abroad.includes(company.billingAddress.address.country);
  const isYearly = yearlyPlans.has(plan) && !isAbroad && chance.is(0.2);
  const paysByCard = plan === 'starter' || !chance.is(0.2);
  return {
    n,
    chance,
    plan,
    isAbroad,
    paysByCard,
    staysFree: chance.is(0.07),
    token: chance.weighted(cards),
    customer: { ...company, externalId: `demo_${n}`, testClockId: clockId },
    terms: {
      priceSlug: slugs.price(plan, isYearly ? 'year' : 'month', isAbroad),
      ...(!paysByCard && { collectionMethod: 'send_invoice', daysUntilDue: 14 }),
      ...(chance.is(0.35) && { trialEnd: addMonths(at, 1) }),
      ...(chance.is(0.12) && { discountCode: welcomeCode }),
    },
  };
}

const personOf = (
  { n, chance, plan, isAbroad, paysByCard }: ReturnType<typeof choices>,
  customerId: string,
  usedUntil: Date,
): Person => ({
  n,
  chance,
  customerId,
  subscriptionId: undefined,
  plan: undefined,
  isAbroad,
  usedUntil,
  pace: plan === 'starter' ? chance.from(50, 500) : chance.from(300, 4_000),
  paysByCard,
  isShort: false,
  seats: 0,
});

/** Some people more of each customer have a seat, as long as there is one. */
export async function fillSeats(world: World, people: readonly Person[]) {
  const wishes = people.flatMap((person) => {
    const { n, seats, subscriptionId, chance } = person;
    const names = holders.slice(seats, seats + chance.from(1, 3));
    if (!subscriptionId || names.length === 0) return [];
    const externalIds = names.map((name) => `${name}@company-${n}.example`);
    return [{ n, person, claim: { subscriptionId, resourceSlug: 'seats', externalIds } }];
  });
  const claimed = await together(world, wishes, (session, { claim }) =>
    claimResource(session, claim),
  );
  for (const { person, claim } of claimed.keys()) person.seats += claim.externalIds.length;
}
