import { Roster } from './roster.ts';

export interface BatchingOptions<Item> {
  /** How many batches run at a time. */
  readonly workers: number;
  /** From this number of waiting items another batch runs at the same time; from 1 when absent. */
  readonly crowd?: number;
  /** The largest number of items in a batch; with `sizeOf`, their total size. A larger item runs alone. */
  readonly most: number;
  readonly sizeOf?: (item: Item) => number;
  /** How long a worker waits for the callers of the last batch; not at all when absent. */
  readonly patienceMilliseconds?: number;
  /** Items of one key keep their order, and are never in two running batches at the same time. */
  readonly keyOf?: (item: Item) => string;
  /** Items of one key share a batch only if their kind is the same. */
  readonly kindOf?: (item: Item) => string;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker that waits for more items. */
interface Patient {
  readonly awaited: number;
  readonly resume: () => void;
}

/**
 * Batches work: items that arrive while others run are executed together. Under load a transaction carries many
 * commands, and each caller still waits for one commit only.
 */
export class Batching<Item, Result> {
  readonly #execute: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: BatchingOptions<Item>;
  /** The keys of each running batch. */
  readonly #underWay = new Roster<Iterable<string>>();
  readonly #patient = new Roster<Patient>();
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  /** How many items the last batch had. */
  #answered = 0;

  /** `execute` returns a result for each item, in their order; its error goes to all callers of the batch. */
  constructor(
    execute: (items: readonly Item[]) => Promise<readonly Result[]>,
    options: BatchingOptions<Item>,
  ) {
    this.#execute = execute;
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      for (const { awaited, resume } of this.#patient)
        if (this.#waiting.length >= awaited) resume();
      const { workers, crowd = 1 } = this.#options;
      const isWorthIt = this.#running === 0 || this.#waiting.length >= crowd;
      if (this.#running < workers && isWorthIt) void this.#run();
    });
  }

  async #run() {
    this.#running += 1;
    // Other items that arrive in this turn of the event loop join the batch.
    await new Promise(setImmediate);
    for (let next = this.#take(); next.batch.length > 0; next = this.#take()) {
      const { batch, keys } = next;
      const place = this.#underWay.add(keys);
      this.#answered = batch.length;
      try {
        const results = await this.#execute(batch.map(({ item }) => item));
        for (const [place, { resolve }] of batch.entries()) resolve(results[place] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      this.#underWay.remove(place);
      await this.#gather();
    }
    this.#running -= 1;
  }

  /** Takes the items that have waited longest, except those that must wait for others of their key. */
  #take() {
    const { sizeOf = () => 1, keyOf, kindOf = () => '' } = this.#options;
    const most = this.#share();
    const batch: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    const kinds = new Map<string, string>();
    const passed = new Set<string>();
    for (const keys of this.#underWay) for (const key of keys) passed.add(key);
    let room = most;
    for (const one of this.#waiting) {
      const { item } = one;
      const size = sizeOf(item);
      // No smaller item overtakes one that does not fit.
      if (size > room && room < most) room = 0;
      const key = keyOf?.(item);
      const kind = kindOf(item);
      const free = key === undefined || (!passed.has(key) && (kinds.get(key) ?? kind) === kind);
      if (room > 0 && free) {
        if (key !== undefined) kinds.set(key, kind);
        room -= size;
        batch.push(one);
      } else {
        if (key !== undefined) passed.add(key);
        left.push(one);
      }
    }
    this.#waiting = left;
    return { batch, keys: [...kinds.keys()] };
  }

  /** The size of the next batch: a crowd is shared among the workers. */
  #share() {
    const { most, workers, crowd } = this.#options;
    const isCrowd = crowd !== undefined && this.#waiting.length >= workers * crowd;
    return isCrowd ? Math.min(most, Math.ceil(this.#waiting.length / workers)) : most;
  }

  /**
   * Under load the callers of the last batch have more items, and fuller batches are fewer. A single caller is not
   * waited for.
   */
  async #gather() {
    const { most, patienceMilliseconds = 0 } = this.#options;
    if (patienceMilliseconds === 0 || this.#answered <= 1) return;
    const awaited = Math.min(most, this.#waiting.length + this.#answered);
    if (this.#waiting.length >= awaited) return;
    await new Promise<void>((resolve) => {
      const resume = () => {
        clearTimeout(longest);
        this.#patient.remove(place);
        // Other items that arrive in this turn of the event loop join the batch.
        setImmediate(resolve);
      };
      const longest = setTimeout(resume, patienceMilliseconds);
      const place = this.#patient.add({ awaited, resume });
    });
  }
}
