import {
  recordUsageEvents,
  recordUsageEventsInput,
} from '#domain/recording/present/record-usage-events.ts';
import { slugs } from './catalog.ts';
import { holders } from './people.ts';
import { type Person, sessionOf, type World } from './world.ts';

const day = 86_400_000;
/** How many days one event sums up, by how many days ago it was: the newest usage is the finest. */
const grains = [
  [3, 0.25],
  [35, 1],
  [Number.POSITIVE_INFINITY, 4],
] as const;
const mostEvents = 2_000;

const regions = ['eu-west', 'us-east', 'ap-south', 'sa-east'] as const;
const endpoints = ['/v1/search', '/v1/translate', '/v1/summarize'] as const;
const weekend = new Set([0, 6]);

/** Records the usage of all subscribed customers up to an instant; `now` is the end of the demo's year. */
export async function useProduct(world: World, until: Date, now: Date) {
  const events = world.people.flatMap((person) => {
    const own = [];
    while (person.subscriptionId) {
      const days = grainOf((now.getTime() - person.usedUntil.getTime()) / day);
      const end = new Date(person.usedUntil.getTime() + days * day);
      if (end > until) break;
      own.push(...usageOf(person, person.usedUntil, days));
      person.usedUntil = end;
    }
    return own;
  });
  await record(world, events);
}

const grainOf = (daysAgo: number) => grains.find(([least]) => daysAgo <= least)?.[1] ?? 1;

/** Records some usage of the present moment by at most `most` customers. */
export async function useNow(world: World, now: Date, most: number) {
  const active = world.people.filter(({ subscriptionId }) => subscriptionId);
  const some = new Set(
    Array.from({ length: Math.min(most, active.length) }, () => world.chance.of(active)),
  );
  const label = now.getTime().toString(36);
  await record(
    world,
    [...some].map((person) => callsOf(person, Math.ceil(person.pace / 50), `live-${label}`)),
  );
}

/** The API calls of some days from an instant on, and a person who was active; fewer on weekends. */
function usageOf(person: Person, from: Date, days: number) {
  const { n, chance, pace, seats, subscriptionId } = person;
  const share = weekend.has(from.getUTCDay()) && days <= 1 ? 0.25 : 1;
  const amount = Math.max(1, Math.round(pace * days * share * (0.5 + chance.next())));
  const usageDate = new Date(from.getTime() + Math.floor(chance.next() * Math.min(days, 1) * day));
  const label = from.getTime().toString(36);
  const calls = { ...callsOf(person, amount, label), usageDate };
  if (seats === 0 || !chance.is(0.3)) return [calls];
  const active = {
    subscriptionId,
    usageDate,
    amount: '1',
    transactionId: `demo-${n}-${label}-user`,
    usageMeterSlug: 'active-users',
    properties: { user: holders[chance.from(0, seats - 1)] ?? holders[0] },
  };
  return [calls, active];
}

const callsOf = (
  { n, chance, subscriptionId, isAbroad }: Person,
  amount: number,
  label: string,
) => ({
  subscriptionId,
  amount: String(amount),
  transactionId: `demo-${n}-${label}`,
  priceSlug: slugs.apiCalls(isAbroad),
  properties: { region: chance.of(regions), endpoint: chance.of(endpoints) },
});

async function record(world: World, events: readonly object[]) {
  for (let from = 0; from < events.length; from += mostEvents) {
    const usageEvents = events.slice(from, from + mostEvents);
    await recordUsageEvents(sessionOf(world), recordUsageEventsInput.parse({ usageEvents }));
  }
}
