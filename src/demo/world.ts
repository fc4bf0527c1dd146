import type { EntityManager } from '@mikro-orm/postgresql';
import { presentOf } from '#domain/kernel/present.ts';
import { openSession, type Scope, type Session } from '#domain/kernel/session.ts';
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
  /** How many API calls it makes on a working day. */
  readonly pace: number;
  seats: number;
}

export type Plan = 'starter-monthly' | 'team-monthly' | 'scale-monthly' | 'scale-yearly';

/** The demo while it is being made: its place in the database, its clock and its customers. */
export interface World {
  readonly em: EntityManager;
  readonly scope: Omit<Scope, 'now'>;
  readonly chance: Chance;
  readonly clockId: string;
  readonly people: Person[];
}

/** A session for one command. */
export async function sessionOf({ em, scope }: Pick<World, 'em' | 'scope'>): Promise<Session> {
  const now = await presentOf(em);
  return openSession(em, { ...scope, now, clock: { latest: now } });
}

/** Executes steps of several customers, some at the same time; one customer has one step. */
export async function inLanes<T>(items: readonly T[], step: (item: T) => Promise<unknown>) {
  const lanes = 4;
  const queue = [...items];
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await step(item);
    }),
  );
}
