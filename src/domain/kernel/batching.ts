export interface BatchingOptions<Item> {
  /** How many pieces are carried out at a time. */
  readonly lanes: number;
  /** How many items one piece has at most; with `sizeOf`, how much they come to. A larger one goes by itself. */
  readonly most: number;
  readonly sizeOf?: (item: Item) => number;
  /** How long those who have just been answered are waited for; not at all when absent. */
  readonly patienceMilliseconds?: number;
  /** Items of one key keep their order, and are never under way in two pieces at the same time. */
  readonly keyOf?: (item: Item) => string;
  /** Which items of one key may be in one piece: those of the same kind. */
  readonly kindOf?: (item: Item) => string;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A lane that waits for more to come along. */
interface Patient {
  readonly awaited: number;
  readonly goOn: () => void;
}

/**
 * Puts work together: what comes while other is under way is carried out in one piece with what comes beside
 * it. Under load a transaction carries many commands, and each caller still waits for one commit only.
 */
export class Batching<Item, Result> {
  readonly #carryOut: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: BatchingOptions<Item>;
  readonly #underWay = new Set<string>();
  readonly #patient = new Set<Patient>();
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  /** How many items the last piece had. */
  #answered = 0;

  /** `carryOut` answers a result for each item, in their order; what it throws, all of them are told. */
  constructor(
    carryOut: (items: readonly Item[]) => Promise<readonly Result[]>,
    options: BatchingOptions<Item>,
  ) {
    this.#carryOut = carryOut;
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      for (const { awaited, goOn } of this.#patient) if (this.#waiting.length >= awaited) goOn();
      if (this.#running < this.#options.lanes) void this.#run();
    });
  }

  async #run() {
    this.#running += 1;
    // What else has arrived in this turn of the event loop comes along.
    await new Promise(setImmediate);
    for (let piece = this.#take(); piece.length > 0; piece = this.#take()) {
      this.#answered = piece.length;
      try {
        const results = await this.#carryOut(piece.map(({ item }) => item));
        for (const [place, { resolve }] of piece.entries()) resolve(results[place] as Result);
      } catch (error) {
        for (const { reject } of piece) reject(error);
      }
      for (const { item } of piece) this.#underWay.delete(this.#options.keyOf?.(item) ?? '');
      await this.#gather();
    }
    this.#running -= 1;
  }

  /** What has waited longest, but for what has to wait for others of its key. */
  #take() {
    const { most, sizeOf = () => 1, keyOf, kindOf = () => '' } = this.#options;
    const piece: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    const kinds = new Map<string, string>();
    const passed = new Set(this.#underWay);
    let room = most;
    for (const one of this.#waiting) {
      const { item } = one;
      const size = sizeOf(item);
      // Nobody is overtaken by those who would still fit.
      if (size > room && room < most) room = 0;
      const key = keyOf?.(item);
      const kind = kindOf(item);
      const free = key === undefined || (!passed.has(key) && (kinds.get(key) ?? kind) === kind);
      if (room > 0 && free) {
        if (key !== undefined) kinds.set(key, kind);
        room -= size;
        piece.push(one);
      } else {
        if (key !== undefined) passed.add(key);
        left.push(one);
      }
    }
    for (const key of kinds.keys()) this.#underWay.add(key);
    this.#waiting = left;
    return piece;
  }

  /**
   * Under load those who have just been answered have more, and the more come along, the fewer pieces there are.
   * A single caller is not waited for.
   */
  async #gather() {
    const { most, patienceMilliseconds = 0 } = this.#options;
    if (patienceMilliseconds === 0 || this.#answered <= 1) return;
    const awaited = Math.min(most, this.#waiting.length + this.#answered);
    if (this.#waiting.length >= awaited) return;
    await new Promise<void>((resolve) => {
      const goOn = () => {
        clearTimeout(longest);
        this.#patient.delete(patient);
        // What else arrives in this turn of the event loop comes along.
        setImmediate(resolve);
      };
      const longest = setTimeout(goOn, patienceMilliseconds);
      const patient = { awaited, goOn };
      this.#patient.add(patient);
    });
  }
}
