import type { EntityManager } from '@mikro-orm/postgresql';
import { Abandoned, Lockstep, Member, OutOfStep } from '#domain/kernel/lockstep.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';

/** One command of a batch. */
export interface Batched<T> {
  /** The customer whose rows the command changes; a batch has one command of a customer. */
  readonly customerId: string;
  /** Opens a session for one attempt. */
  readonly open: () => Session;
  /** One command in one transaction; it locks the customer first. */
  readonly work: (session: Session) => Promise<T>;
}

interface Options {
  /** The largest number of commands in a batch. */
  readonly most?: number;
  /** Whether commands are left whose customer another transaction has locked; else they wait for it. */
  readonly leaves?: boolean;
}

/** The result of a command, or its error; null for one that was left. */
export type Outcome<T> = PromiseSettledResult<T> | null;

const usualSize = 50;

/**
 * Executes commands of one tenant in batches: those of a batch run the same code at the same time, share their
 * statements and are committed together. A batch has the effect of its commands one after the other. One that fails is
 * removed from its batch and executed alone, so that its error is its own. Returns the outcomes in the order of the
 * commands.
 */
export async function inBatches<T>(
  em: EntityManager,
  commands: readonly Batched<T>[],
  { most = usualSize, leaves = false }: Options = {},
): Promise<Outcome<T>[]> {
  const outcomes = new Map<Batched<T>, Outcome<T>>();
  for (const round of roundsOf(commands)) {
    for (let from = 0; from < round.length; from += most) {
      await attempt(em, round.slice(from, from + most), leaves, outcomes);
    }
  }
  return commands.map((command) => outcomes.get(command) ?? null);
}

/** The first commands of all customers, then the second ones, and so on; each round in the order of the customers. */
function roundsOf<T>(commands: readonly Batched<T>[]): Batched<T>[][] {
  const rounds: Batched<T>[][] = [];
  for (const own of Map.groupBy(commands, ({ customerId }) => customerId).values()) {
    for (const [place, command] of own.entries()) {
      rounds[place] ??= [];
      rounds[place].push(command);
    }
  }
  return rounds.map((round) => round.toSorted((a, b) => (a.customerId < b.customerId ? -1 : 1)));
}

async function attempt<T>(
  em: EntityManager,
  commands: readonly Batched<T>[],
  leaves: boolean,
  outcomes: Map<Batched<T>, Outcome<T>>,
): Promise<void> {
  const [first, second] = commands;
  if (!first) return;
  if (!second && !leaves) {
    const [outcome] = await Promise.allSettled([first.work(first.open())]);
    outcomes.set(first, outcome);
    return;
  }
  const settled: PromiseSettledResult<T>[] = [];
  let members: readonly Batched<T>[] = [];
  try {
    await em.fork().transactional(async (em) => {
      const free = await lockCustomers(em, commands);
      members = commands.filter(({ customerId }) => free.has(customerId));
      settled.push(...(await together(em, members)));
      const failed = settled.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    });
    for (const [place, member] of members.entries())
      outcomes.set(member, settled[place] as PromiseSettledResult<T>);
  } catch {
    for (const part of partsAfter(members.length > 0 ? members : commands, settled))
      await attempt(em, part, false, outcomes);
  }
  if (leaves) return;
  for (const command of commands)
    if (!members.includes(command)) await attempt(em, [command], false, outcomes);
}

/** The next attempts after a batch was rolled back: those that have failed alone, the others together. */
function partsAfter<T>(
  members: readonly Batched<T>[],
  settled: readonly PromiseSettledResult<T>[],
): (readonly Batched<T>[])[] {
  if (members.length === 1) return [members];
  const reasons = settled.map((one) => (one.status === 'rejected' ? one.reason : undefined));
  const own = new Set(
    members.filter((_, place) => {
      const reason = reasons[place];
      const isOwn =
        reason instanceof OutOfStep || reasons.indexOf(reason) === reasons.lastIndexOf(reason);
      return reason !== undefined && isOwn && !(reason instanceof Abandoned);
    }),
  );
  if (own.size > 0)
    return [members.filter((one) => !own.has(one)), ...[...own].map((one) => [one])];
  // A statement of several members or the commit has failed.
  const half = Math.ceil(members.length / 2);
  return [members.slice(0, half), members.slice(half)];
}

/** Runs the members of a batch in lockstep, in one transaction. */
async function together<T>(
  em: EntityManager,
  members: readonly Batched<T>[],
): Promise<PromiseSettledResult<T>[]> {
  const lockstep = new Lockstep(em.getTransactionContext() as object);
  return Promise.allSettled(
    members.map(async ({ open, work }) => {
      const session = open();
      session.em.setTransactionContext(new Member(lockstep) as never);
      try {
        return await work(session);
      } catch (error) {
        lockstep.fail();
        throw error;
      }
    }),
  );
}

/** Locks the clocks and the customers that no other transaction has locked, in their order; returns the customers. */
async function lockCustomers(em: EntityManager, commands: readonly Batched<unknown>[]) {
  const ids = commands.map(({ customerId }) => customerId);
  await statement(
    em,
    'lock clocks of a batch',
    `select id from test_clock where id in (select test_clock_id from customer where id = any($1::text[]))
     order by id for share`,
    [ids],
  );
  const rows = await statement<{ id: string }>(
    em,
    'lock customers of a batch',
    'select id from customer where id = any($1::text[]) order by id for update skip locked',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
