import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '#domain/kernel/errors.ts';
import { inBatches } from '#domain/kernel/in-batches.ts';
import { inLanes } from '#domain/kernel/in-lanes.ts';
import { openSession, type Scope, type Session } from '#domain/kernel/session.ts';
import { lastKnownPresent } from '#domain/kernel/values/present.ts';
import type { Plan } from './catalog.ts';
import type { Chance } from './chance.ts';

/** A customer of the demo. */
export interface Person {
  readonly n: number;
  /** Its own choices, so that they do not depend on the order in which customers act. */
  readonly chance: Chance;
  readonly customerId: string;
  /** The present subscription; undefined before and after a paid plan. */
  subscriptionId: string | undefined;
  plan: Plan | undefined;
  /** Whether it pays in the second currency of the catalog. */
  readonly isAbroad: boolean;
  /** Usage before this instant is recorded, or counts no more. */
  usedUntil: Date;
  /** How many API calls it makes on a working day. */
  readonly pace: number;
  readonly paysByCard: boolean;
  /** Whether its card declines, until it adds another one. */
  isShort: boolean;
  seats: number;
}

/** A part of the demo: the customers of one test clock. Parts do not wait for one another. */
export interface World {
  readonly em: EntityManager;
  readonly scope: Omit<Scope, 'now'>;
  readonly chance: Chance;
  readonly clockId: string;
  /** The number of the first customer, and the distance to the next one: clocks number theirs in turns. */
  readonly first: number;
  readonly step: number;
  /** The countries whose customers pay in the second currency of the catalog. */
  readonly abroad: readonly string[];
  readonly people: Person[];
}

/** A session for one command. Errors: the clock of the database has not been read. */
export function sessionOf({ em, scope }: Pick<World, 'em' | 'scope'>): Session {
  const now = lastKnownPresent(em);
  return openSession(em, { ...scope, now, clock: { latest: now } });
}

/**
 * Executes one command for each of several customers in batches. Returns the results of those that the rules permit.
 * Errors: any but a refusal.
 */
export async function together<I extends { readonly n: number }, T>(
  world: World,
  items: readonly I[],
  work: (session: Session, item: I) => Promise<T>,
): Promise<Map<I, T>> {
  const commands = items.map((item) => ({
    key: String(item.n),
    open: () => sessionOf(world),
    work: (session: Session) => work(session, item),
  }));
  const outcomes = await inBatches(world.em, commands);
  return new Map(
    items.flatMap((item, place) => {
      const outcome = outcomes[place];
      if (outcome?.status === 'fulfilled') return [[item, outcome.value] as const];
      if (outcome && !(outcome.reason instanceof DomainError)) throw outcome.reason;
      return [];
    }),
  );
}

/** Executes steps of several customers, some at the same time; one that the rules refuse is none. */
export async function takeSteps(steps: readonly (() => Promise<unknown>)[]) {
  const lanes = 2;
  const queue = steps.values();
  const workThrough = async () => {
    for (const step of queue) await permitted(step);
  };
  await inLanes(lanes, workThrough);
}

/** Executes a step; one that the rules refuse is none. */
export async function permitted(step: () => Promise<unknown>) {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}
