import type { EntityManager } from '@mikro-orm/postgresql';
import { Abandoned, Lockstep, Member, OutOfStep } from '#engines/lockstep/lockstep.ts';
import { AnswerNeeded, askAll, mostAnswers } from './answer-needed.ts';
import type { Session } from './session.ts';

/** One command of a batch. */
export interface Batched<T> {
  /** The record whose rows the command changes, such as a customer; a batch has one command of a key. */
  readonly key: string;
  /** Opens a session for one attempt. */
  readonly open: () => Session;
  /** One command in one transaction. */
  readonly work: (session: Session) => Promise<T>;
}

interface Options {
  /** The largest number of commands in a batch. */
  readonly most?: number;
  /**
   * Locks the records of some keys that no other transaction has locked, in one order, and returns their keys. Without
   * it nothing is locked before the commands.
   */
  readonly lock?: (em: EntityManager, keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Whether commands are left whose record another transaction has locked; else they wait for it. */
  readonly leaves?: boolean;
}

/** The result of a command, or its error; null for one that was left. */
export type Outcome<T> = PromiseSettledResult<T> | null;

const usualSize = 50;

/**
 * Executes commands of one tenant in batches: those of a batch run the same code at the same time, share their
 * statements and are committed together. A batch has the effect of its commands one after the other. One that fails is
 * removed from its batch and executed alone, so that its error is its own. A batch whose commands need answers of another
 * service is rolled back, and runs again after all of them. Returns the outcomes in the order of the commands.
 */
export async function inBatches<T>(
  em: EntityManager,
  commands: readonly Batched<T>[],
  { most = usualSize, ...options }: Options = {},
): Promise<Outcome<T>[]> {
  const outcomes = new Map<Batched<T>, Outcome<T>>();
  for (const round of roundsOf(commands)) {
    for (let from = 0; from < round.length; from += most) {
      await attempt(em, round.slice(from, from + most), options, outcomes);
    }
  }
  return commands.map((command) => outcomes.get(command) ?? null);
}

/** The first commands of all keys, then the second ones, and so on; each round in the order of the keys. */
function roundsOf<T>(commands: readonly Batched<T>[]): Batched<T>[][] {
  const rounds: Batched<T>[][] = [];
  for (const own of Map.groupBy(commands, ({ key }) => key).values()) {
    for (const [place, command] of own.entries()) {
      rounds[place] ??= [];
      rounds[place].push(command);
    }
  }
  return rounds.map((round) => round.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
}

async function attempt<T>(
  em: EntityManager,
  commands: readonly Batched<T>[],
  { lock, leaves = false }: Omit<Options, 'most'>,
  outcomes: Map<Batched<T>, Outcome<T>>,
  answers = 0,
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
    await em.fork({ keepTransactionContext: true }).transactional(async (em) => {
      const keys = commands.map(({ key }) => key);
      const free = lock ? await lock(em, keys) : new Set(keys);
      members = commands.filter(({ key }) => free.has(key));
      settled.push(...(await together(em, members)));
      const failed = settled.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    });
    for (const [place, member] of members.entries())
      outcomes.set(member, settled[place] as PromiseSettledResult<T>);
  } catch {
    const answered = answers < mostAnswers && (await afterAnswers(em, members, settled, outcomes));
    if (answered) {
      const options = { ...(lock && { lock }), leaves };
      await attempt(em, answered, options, outcomes, answers + 1);
    } else {
      for (const part of partsAfter(members.length > 0 ? members : commands, settled))
        await attempt(em, part, { ...(lock && { lock }) }, outcomes);
    }
  }
  if (leaves) return;
  for (const command of commands)
    if (!members.includes(command)) await attempt(em, [command], {}, outcomes);
}

/**
 * Waits for the answers that members of a batch need. Returns the members that can run again; those without an answer
 * have its error. Undefined where none is needed. Within a larger transaction nothing is awaited. Errors: AnswerNeeded.
 */
async function afterAnswers<T>(
  em: EntityManager,
  members: readonly Batched<T>[],
  settled: readonly PromiseSettledResult<T>[],
  outcomes: Map<Batched<T>, Outcome<T>>,
): Promise<readonly Batched<T>[] | undefined> {
  const needed = new Map<Batched<T>, AnswerNeeded>();
  for (const [place, member] of members.entries()) {
    const one = settled[place];
    if (one?.status === 'rejected' && one.reason instanceof AnswerNeeded)
      needed.set(member, one.reason);
  }
  if (needed.size === 0) return undefined;
  const [first] = needed.values();
  if (em.isInTransaction()) throw first;
  const answers = await askAll([...needed.values()]);
  const failed = new Set<Batched<T>>();
  for (const [place, member] of [...needed.keys()].entries()) {
    const answer = answers[place];
    if (answer?.status !== 'rejected') continue;
    outcomes.set(member, answer);
    failed.add(member);
  }
  return members.filter((member) => !failed.has(member));
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
  const lockstep = new Lockstep(em);
  return Promise.allSettled(members.map((member) => inStep(lockstep, member)));
}

/**
 * Executes work of several sessions at the same time, outside of transactions; they share the statements that they issue
 * at the same time, each committed at once. Commands within the work have transactions of their own.
 */
export async function inStepLoosely<T>(
  em: EntityManager,
  members: readonly Pick<Batched<T>, 'open' | 'work'>[],
): Promise<PromiseSettledResult<T>[]> {
  const lockstep = new Lockstep(em.fork());
  return Promise.allSettled(members.map((member) => inStep(lockstep, member)));
}

async function inStep<T>(
  lockstep: Lockstep,
  { open, work }: Pick<Batched<T>, 'open' | 'work'>,
): Promise<T> {
  const session = open();
  session.em.setTransactionContext(new Member(lockstep));
  try {
    return await work(session);
  } catch (error) {
    // The others continue, so that all answers that the batch needs are known together.
    if (!lockstep.isLoose && !(error instanceof AnswerNeeded)) lockstep.fail();
    throw error;
  }
}
