import { AsyncLocalStorage } from 'node:async_hooks';
import { logged } from '#domain/kernel/database-failure.ts';

/** The channels of wake-ups: events that were written, and deliveries that were written or attempted. */
export const wakeUpChannels = ['tollgate_event', 'tollgate_delivery'] as const;
export type WakeUpChannel = (typeof wakeUpChannels)[number];

/** The changed items; null for more than can be named. */
export type Changed = readonly string[] | null;

/**
 * Runs a function outside of every request and transaction. A connection reports its commits in the context of the
 * request that has opened it.
 */
const outside = AsyncLocalStorage.snapshot();

type Listener = (channel: WakeUpChannel, changed: Changed) => void;

type OnFailure = (problem: ReturnType<typeof logged>) => void;

/** Executes a statement outside every transaction. */
export type Send = (sql: string, values: readonly unknown[]) => Promise<unknown>;

/** A connection of `pg`, with the messages of the server, which its types omit. */
interface Client {
  readonly connection: {
    on(event: 'notice', listener: (notice: { message?: string; detail?: string }) => void): unknown;
    on(event: 'commandComplete', listener: (tag: { text: string }) => void): unknown;
    on(event: 'errorMessage' | 'end', listener: () => void): unknown;
    on(event: 'readyForQuery', listener: (ready: { status: string }) => void): unknown;
  };
}

const pauseMilliseconds = 10;
const pauseAfterFailureMilliseconds = 500;
const longestFarewellMilliseconds = 1_000;
/** The database takes less than 8,000 bytes for each notification; items are ASCII. */
const longestPayload = 7_900;
const mostItems = 100_000;
const everything = '*';

/**
 * The order of the two is safe: the setting counts at the commit. Without it the commit would wait for the disk and for
 * a standby, with a lock that each notification of the server needs.
 */
const notify = `select set_config('synchronous_commit', 'off', true), pg_notify(channel, payload)
  from unnest($1::text[], $2::text[]) as wake_up (channel, payload)`;

/**
 * The wake-ups of the transactions of one pool. Triggers announce what a transaction writes with a message to its own
 * connection. After the commit the listeners in this process are called, and the other processes are notified: at most
 * once in 10 ms, in a transaction of its own, which no request waits for. A wake-up is only a hint.
 */
export class WakeUps {
  /** The name of this pool in its notifications. */
  readonly sender = crypto.randomUUID().slice(0, 8);
  readonly #listeners: Listener[] = [];
  #waiting = new Map<WakeUpChannel, Set<string>>();
  readonly #ownSend: Send;
  #send: Send;
  #onFailure: OnFailure = () => {};
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #notBefore = 0;

  /** Notifications are sent with `send`. */
  constructor(send: Send) {
    this.#ownSend = send;
    this.#send = send;
  }

  /** Sends over another connection, and reports failures, which are tried again. Returns how to end that. */
  sendBy(send: Send, onFailure: OnFailure) {
    this.#send = send;
    this.#onFailure = onFailure;
    return () => {
      if (this.#send === send) this.#send = this.#ownSend;
    };
  }

  /** Calls back after each commit that has changed something. */
  onCommit(listener: Listener) {
    this.#listeners.push(listener);
  }

  /** Follows the transactions of a new connection, however their statements are sent. */
  follow({ connection }: Client) {
    let announced: (readonly [WakeUpChannel, string])[] = [];
    let isUndone = false;
    connection.on('notice', ({ message, detail = '' }) => {
      if (isChannel(message)) announced.push([message, detail]);
    });
    connection.on('commandComplete', ({ text }) => {
      isUndone = text === 'ROLLBACK';
    });
    connection.on('errorMessage', () => {
      isUndone = true;
    });
    connection.on('readyForQuery', ({ status }) => {
      // An error within a transaction may have been rolled back to a savepoint.
      if (status === 'I' && announced.length > 0) {
        const ended = announced;
        announced = [];
        if (!isUndone) outside(() => this.#announce(ended));
      }
      isUndone = false;
    });
    // The commit may have been the last statement before the loss; a wake-up too many does no harm.
    connection.on('end', () => outside(() => this.#announce(announced)));
  }

  #announce(announced: readonly (readonly [WakeUpChannel, string])[]) {
    for (const [channel, detail] of announced) {
      const changed = detail.split('\n');
      this.#wait(channel, changed);
      for (const listener of this.#listeners) listener(channel, changed);
    }
    this.#plan();
  }

  /** Sends all wake-ups that wait. */
  async flush() {
    const late = new Promise((resolve) => setTimeout(resolve, longestFarewellMilliseconds).unref());
    await Promise.race([late, this.#flush()]);
  }

  async #flush() {
    await this.#sending;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size > 0) await this.#transmit();
  }

  #wait(channel: WakeUpChannel, items: Iterable<string>) {
    const waiting = this.#waiting.get(channel) ?? new Set();
    this.#waiting.set(channel, waiting);
    for (const item of items) waiting.add(item);
    if (waiting.size > mostItems) this.#waiting.set(channel, new Set([everything]));
  }

  #plan() {
    if (this.#timer || this.#sending || this.#waiting.size === 0) return;
    const pause = Math.max(0, this.#notBefore - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#sending = this.#transmit().finally(() => {
        this.#sending = undefined;
        this.#plan();
      });
    }, pause).unref();
  }

  async #transmit() {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#notBefore = performance.now() + pauseMilliseconds;
    const payloads = [...waiting].flatMap(([channel, items]) =>
      payloadsOf(this.sender, items).map((payload) => [channel, payload] as const),
    );
    try {
      await this.#send(notify, [
        payloads.map(([channel]) => channel),
        payloads.map(([, payload]) => payload),
      ]);
    } catch (error) {
      for (const [channel, items] of waiting) this.#wait(channel, items);
      this.#notBefore = performance.now() + pauseAfterFailureMilliseconds;
      this.#onFailure(logged(error));
    }
  }
}

/** The sender of a notification, and the changed items. */
export function readPayload(payload: string): {
  readonly sender: string;
  readonly changed: Changed;
} {
  const [sender = '', ...items] = payload.split('\n');
  return { sender, changed: items.includes(everything) ? null : items };
}

/** As few payloads as items of this length allow. */
function payloadsOf(sender: string, items: Iterable<string>): string[] {
  const payloads: string[] = [];
  let payload = sender;
  for (const item of items) {
    if (payload.length + item.length + 1 > longestPayload) {
      payloads.push(payload);
      payload = sender;
    }
    payload += `\n${item}`;
  }
  return [...payloads, payload];
}

const isChannel = (message: string | undefined): message is WakeUpChannel =>
  (wakeUpChannels as readonly (string | undefined)[]).includes(message);
