import type { DatabaseTime } from '../../support/live/database-time.ts';
import type { Running } from '../../support/process.ts';
import type { Random } from '../../support/random.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A job lists the events of the processor every 10 minutes, at this second. */
const reconciliation = { minutes: 10, second: 15 };
/** How long a process may not notice that the clock of its database was set. */
const noticeMilliseconds = 12_000;

/** The clocks of a database and of the processes on it, while they work. */
export class Clocks {
  readonly #database: DatabaseTime;
  readonly #services: () => readonly Running[];
  readonly #random: Random;
  #ahead = 0;
  #furthest = 0;
  #setAt = Number.NEGATIVE_INFINITY;
  #buying = 0;

  constructor(database: DatabaseTime, services: () => readonly Running[], random: Random) {
    this.#database = database;
    this.#services = services;
    this.#random = random;
  }

  /** Whether processes may have another time than the machine, by more than the service promises to tolerate. */
  get areWrong(): boolean {
    const isFresh = performance.now() - this.#setAt < noticeMilliseconds;
    return isFresh || Math.abs(this.#ahead) > 4 * minute;
  }

  /** The faults of clocks, by name. Each lasts until the next one of its kind. */
  get faults(): Readonly<Record<string, () => Promise<unknown>>> {
    const random = this.#random;
    return {
      'the clock of a process is set': () => this.#setProcess(this.#jump(), 0),
      'the clock of a process is fast or slow': () => this.#setProcess(this.#jump(), this.#rate()),
      'the clock of the database is set': () => this.#fault(this.#jump(), 0),
      'the clock of the database is fast or slow': () =>
        this.#fault(this.#ahead + random.whole(-5_000, 5_000), this.#rate()),
      'the clock of the database is right again': () => this.#fault(0, 0),
    };
  }

  /** Leaves the clock of the database alone during a purchase at the present: a first charge that jobs retry is due by it. */
  async whileBuying<T>(work: () => Promise<T>): Promise<T> {
    this.#buying += 1;
    try {
      return await work();
    } finally {
      this.#buying -= 1;
    }
  }

  /** Sets the clock of the database to seconds before the next reconciliation with processors. */
  async reconcile() {
    const pause = reconciliation.minutes * minute;
    const present = Date.now() + this.#ahead;
    const next = Math.ceil(present / pause) * pause + (reconciliation.second - 4) * 1_000;
    await this.#set(this.#ahead + next - present, 0);
  }

  /** Sets the clock of the database to seconds before a reconciliation that compares all charges again. */
  async compareBooks() {
    this.#ahead += hour;
    await this.reconcile();
  }

  /** Sets the clock of the database to the latest time that it has shown, so that everything is due. */
  async pass() {
    await this.#set(this.#furthest, 0);
  }

  /** Seconds, minutes or hours, forwards or backwards. */
  #jump(): number {
    const unit = this.#random.one([1_000, minute, hour]);
    const most = unit === hour ? 6 : 59;
    return this.#random.one([-1, 1]) * this.#random.whole(1, most) * unit;
  }

  #rate = () => this.#random.whole(-50, 50) / 1_000;

  async #setProcess(ahead: number, rate: number) {
    const service = this.#random.one(this.#services());
    const [, address] = /^Clock at (.*)$/m.exec(service.stdout()) ?? [];
    await fetch(`${address}/?ahead=${ahead}&rate=${rate}`);
  }

  /** Sets the clock of the database by a fault. */
  async #fault(ahead: number, rate: number) {
    if (this.#buying > 0) return;
    await this.#set(ahead, rate);
  }

  async #set(ahead: number, rate: number) {
    this.#ahead = ahead;
    this.#furthest = Math.max(this.#furthest, ahead);
    this.#setAt = performance.now();
    await this.#database.set(ahead, rate);
  }
}
