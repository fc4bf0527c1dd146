import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type Execute,
  findWay,
  type Issued,
  knownWay,
  type Result,
  shapeOf,
  type Together,
} from './lockstep-statement.ts';
import { Slices } from './slices.ts';

/** Is thrown in a member that needs a transaction of its own. */
export class OutOfStep extends Error {
  override readonly name = 'OutOfStep';
}

/** Is thrown in the members of a batch that ends because of others. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** A place in the program: a statement of a shape, which a member has issued so often before. */
interface Step {
  readonly shape: string;
  /** The statements of the members that have arrived there. */
  pending: Pending[];
}

interface Pending extends Issued {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The transaction as one member sees it; the ORM takes it for a transaction of its own. */
export class Member {
  readonly #lockstep: Lockstep;
  /** How often the member has issued a shape. */
  readonly #counts = new Map<string, number>();
  /** The step that the member issued last. */
  last: Step | undefined;
  /** Whether there is no transaction: each statement is committed at once. */
  readonly isLoose: boolean;

  constructor(lockstep: Lockstep) {
    this.#lockstep = lockstep;
    this.isLoose = lockstep.isLoose;
  }

  run(issued: Issued): Promise<Result> {
    const shape = shapeOf(issued);
    const count = this.#counts.get(shape) ?? 0;
    this.#counts.set(shape, count + 1);
    return this.#lockstep.add(this, issued, shape, count);
  }

  executeQuery({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
    return this.run({ text: sql, values: parameters });
  }

  savepoint(): never {
    throw new OutOfStep('A part of a transaction is rolled back alone');
  }
}

/** The member whose statements an EntityManager issues, if it is that of a member. */
export const memberOf = (em: EntityManager): Member | undefined => {
  const context: unknown = em.getTransactionContext();
  return context instanceof Member ? context : undefined;
};

/** Work in a transaction of its own; that of a member is part of the transaction of its batch. */
export async function inTransaction<T>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const member = memberOf(em);
  if (!member) return em.transactional(work);
  if (member.isLoose) return em.fork({ clear: false }).transactional(work);
  const result = await work(em);
  await em.flush();
  return result;
}

/**
 * Executes the statements of several members that run the same program in one transaction: each waits until all
 * others have issued theirs, and equal ones are executed as one. Members at different places wait for those behind.
 */
export class Lockstep {
  readonly #em: EntityManager;
  readonly #execute: Execute;
  /** The steps in the order of the program, as far as it is known. */
  readonly #steps: Step[] = [];
  /** The steps of a shape: those of its first statement, of its second one, and so on. */
  readonly #stepsOf = new Map<string, Step[]>();
  #waiting = 0;
  #isRunning = false;
  #failure: Abandoned | undefined;
  readonly isLoose: boolean;

  /** Without a transaction of the EntityManager, each statement has its own, as for one member. */
  constructor(em: EntityManager) {
    this.#em = em;
    this.isLoose = !em.isInTransaction();
    this.#execute = executeOf(em);
  }

  /** Refuses all further statements: the transaction is rolled back. */
  fail() {
    this.#failure ??= new Abandoned('Another member has failed');
    for (const step of this.#steps) {
      for (const { reject } of this.#take(step)) reject(this.#failure);
    }
  }

  /** Waits for the result of a statement; `count` statements of its shape came before it. */
  add(member: Member, issued: Issued, shape: string, count: number): Promise<Result> {
    if (this.#failure) return Promise.reject(this.#failure);
    const step = this.#stepOf(shape, count, member.last);
    member.last = step;
    const { text, values, joins } = issued;
    return new Promise((resolve, reject) => {
      step.pending.push({ text, values, joins, resolve, reject });
      this.#waiting += 1;
      if (!this.#isRunning) void this.#run();
    });
  }

  /** A new step follows the one from which the first member has reached it. */
  #stepOf(shape: string, count: number, last: Step | undefined): Step {
    let steps = this.#stepsOf.get(shape);
    if (!steps) {
      steps = [];
      this.#stepsOf.set(shape, steps);
    }
    const known = steps[count];
    if (known) return known;
    const step: Step = { shape, pending: [] };
    steps.push(step);
    this.#steps.splice(last === undefined ? 0 : this.#steps.indexOf(last) + 1, 0, step);
    return step;
  }

  /** The statements that wait at a step; they do not wait any more. */
  #take(step: Step): Pending[] {
    const { pending } = step;
    step.pending = [];
    this.#waiting -= pending.length;
    return pending;
  }

  async #run() {
    this.#isRunning = true;
    for (;;) {
      await this.#whenQuiet();
      const first = this.#steps.find(({ pending }) => pending.length > 0);
      if (first === undefined) break;
      await this.#answer(first.shape, this.#take(first));
    }
    this.#isRunning = false;
  }

  /** Waits until no member issues a further statement. */
  async #whenQuiet() {
    let before: number;
    do {
      before = this.#waiting;
      await new Promise(setImmediate);
    } while (this.#waiting !== before);
  }

  async #answer(shape: string, group: readonly Pending[]) {
    const slices = new Slices();
    try {
      const results = await this.#results(shape, group);
      for (const [place, { resolve }] of group.entries()) {
        resolve(results[place] as Result);
        // The members continue one after the other, and other requests in between.
        if (slices.isOver) await slices.turn();
        else await null;
      }
    } catch (error) {
      // Without a transaction the failure of one member is none of the others.
      if (this.isLoose && group.length > 1)
        for (const one of group) await this.#answer(shape, [one]);
      else for (const { reject } of group) reject(error);
    }
  }

  async #results(shape: string, group: readonly Pending[]): Promise<Result[]> {
    const [first] = group as [Pending];
    if (group.length > 1) {
      const known = knownWay(shape, first);
      const together = known === undefined ? await this.#find(first) : known;
      if (together) return together(this.#execute, group);
    }
    const results: Result[] = [];
    for (const { text, values } of group) results.push(await this.#execute({ text }, values));
    return results;
  }

  /** The database tells the types of values within a transaction only. */
  #find(issued: Issued): Promise<Together | null> {
    if (!this.isLoose) return findWay(this.#execute, issued);
    return this.#em.fork().transactional((em) => findWay(executeOf(em), issued));
  }
}

/** Executes statements in the transaction of an EntityManager, if it has one. */
function executeOf(em: EntityManager): Execute {
  const runner = (em.getTransactionContext() ?? em.getConnection().getClient()) as unknown as {
    executeQuery(query: object): Promise<Result>;
  };
  const node = { kind: 'RawNode', sqlFragments: [], parameters: [] };
  return (sql, parameters) => runner.executeQuery({ sql, parameters, query: node, queryId: {} });
}
