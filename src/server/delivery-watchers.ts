import { DomainError } from '#domain/kernel/errors.ts';
import { keyExpiry, keyGone } from './event-follower.ts';

/** A watcher and its filter; an absent field does not restrict. */
export interface DeliveryWatch {
  readonly pricingModelId: string;
  readonly webhookId?: string | null | undefined;
  readonly id?: string | null | undefined;
  readonly apiKeyId: string | undefined;
  readonly expiresAt: Date | null;
}

/** The id of a changed delivery; its present state is read from the table. */
export interface ChangedDelivery {
  readonly id: string;
}

/** All watchers of deliveries in this process. */
export interface DeliveryWatchers {
  watch(watch: DeliveryWatch): AsyncIterableIterator<ChangedDelivery>;
  /** Publishes a change, as the database announces it: pricing model, webhook and delivery. */
  publish(announcement: string): void;
  /** Ends the watches of a key. */
  dismiss(apiKeyId: string): void;
  /** Ends every watch: with a reason when changes may have been missed. */
  end(error?: Error): void;
}

interface Watcher {
  readonly watch: DeliveryWatch;
  offer(id: string): void;
  end(error?: Error): void;
}

/** Watchers get the present state of deliveries: one that changes faster than it is read is shown once. */
export function createDeliveryWatchers(): DeliveryWatchers {
  const watchers = new Set<Watcher>();
  return {
    watch: (watch) => watcherOf(watch, watchers),
    publish(announcement) {
      const [pricingModelId = '', webhookId = '', id = ''] = announcement.split(' ');
      for (const { watch, offer } of watchers) {
        const wanted =
          watch.pricingModelId === pricingModelId &&
          (watch.webhookId == null || watch.webhookId === webhookId) &&
          (watch.id == null || watch.id === id);
        if (wanted) offer(id);
      }
    },
    dismiss(apiKeyId) {
      for (const { watch, end } of watchers) if (watch.apiKeyId === apiKeyId) end(keyGone());
    },
    end(error) {
      for (const { end } of watchers) end(error);
    },
  };
}

/** The error of a watch when the connection that announces changes was lost. */
export const watchInterrupted = () =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'Changes may have been missed: read the deliveries again and watch them anew',
  );

function watcherOf(
  watch: DeliveryWatch,
  watchers: Set<Watcher>,
): AsyncIterableIterator<ChangedDelivery> {
  const changed = new Set<string>();
  const done = { done: true, value: undefined } as const;
  let ended = false;
  let failure: Error | undefined;
  let wakeUp = () => {};
  const watcher: Watcher = {
    watch,
    offer(id) {
      changed.add(id);
      wakeUp();
    },
    end(error) {
      ended = true;
      failure = error;
      changed.clear();
      clearTimeout(expiry);
      watchers.delete(watcher);
      wakeUp();
    },
  };
  const expiry = keyExpiry(watch.expiresAt, () => watcher.end(keyGone()));
  watchers.add(watcher);
  const iterator: AsyncIterableIterator<ChangedDelivery> = {
    async next() {
      while (!ended && changed.size === 0) await new Promise<void>((wake) => (wakeUp = wake));
      const [id] = changed;
      if (id !== undefined) {
        changed.delete(id);
        return { done: false, value: { id } };
      }
      if (!failure) return done;
      const error = failure;
      failure = undefined;
      throw error;
    },
    async return() {
      watcher.end();
      return done;
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}
