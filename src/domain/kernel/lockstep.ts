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

interface Pending extends Issued {
  readonly member: Member;
  readonly shape: string;
  /** The place of the statement in the program: its shape, and how often the member has issued that before. */
  readonly step: string;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The transaction as one member sees it; the ORM takes it for a transaction of its own. */
export class Member {
  readonly #lockstep: Lockstep;
  readonly #counts = new Map<string, number>();
  /** The step that the member issued last. */
  last: string | undefined;
  /** Whether there is no transaction: each statement is committed at once. */
  readonly isLoose: boolean;

  constructor(lockstep: Lockstep) {
    this.#lockstep = lockstep;
    this.isLoose = lockstep.isLoose;
  }

  run(issued: Issued): Promise<Result> {
    const shape = shapeOf(issued);
    const count = (this.#counts.get(shape) ?? 0) + 1;
    this.#counts.set(shape, count);
    return this.#lockstep.add(this, issued, shape, `${shape} ${count}`);
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
  readonly #steps: string[] = [];
  #pending: Pending[] = [];
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
    for (const { reject } of this.#pending.splice(0)) reject(this.#failure);
  }

  add(member: Member, issued: Issued, shape: string, step: string): Promise<Result> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (!this.#steps.includes(step)) {
      const after = member.last === undefined ? -1 : this.#steps.indexOf(member.last);
      this.#steps.splice(after + 1, 0, step);
    }
    member.last = step;
    return new Promise((resolve, reject) => {
      this.#pending.push({ ...issued, member, shape, step, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run() {
    this.#isRunning = true;
    for (;;) {
      await this.#whenQuiet();
      const first = this.#steps.find((step) => this.#pending.some((one) => one.step === step));
      if (first === undefined) break;
      const group = this.#pending.filter(({ step }) => step === first);
      this.#pending = this.#pending.filter(({ step }) => step !== first);
      await this.#answer(group);
    }
    this.#isRunning = false;
  }

  /** Waits until no member issues a further statement. */
  async #whenQuiet() {
    let before: number;
    do {
      before = this.#pending.length;
      await new Promise(setImmediate);
    } while (this.#pending.length !== before);
  }

  async #answer(group: readonly Pending[]) {
    const slices = new Slices();
    try {
      const results = await this.#results(group);
      for (const [place, { resolve }] of group.entries()) {
        resolve(results[place] as Result);
        // The members continue one after the other, and other requests in between.
        if (slices.isOver) await slices.turn();
        else await null;
      }
    } catch (error) {
      // Without a transaction the failure of one member is none of the others.
      if (this.isLoose && group.length > 1) for (const one of group) await this.#answer([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  async #results(group: readonly Pending[]): Promise<Result[]> {
    const [first] = group as [Pending];
    if (group.length > 1) {
      const known = knownWay(first.shape, first);
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
