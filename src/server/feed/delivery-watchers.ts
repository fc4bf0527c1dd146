import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '#domain/kernel/errors.ts';
import { LiveReader } from '#engines/live/live-reader.ts';
import { keyGone, refusalOf } from './event-follower.ts';
import { onExpiry } from './key-expiry.ts';

/** A watcher's filter for deliveries; absent fields match everything. */
export interface DeliveryWatch {
  readonly pricingModelId: string;
  readonly webhookId?: string | null | undefined;
  readonly id?: string | null | undefined;
  readonly credentialId: string | undefined;
  readonly expiresAt: Date | null;
  /** The origin of the page that watches, if it is one. */
  readonly origin?: string | undefined;
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
  /** Ends the watches of a key, or only those of pages of other origins than these. */
  dismiss(credentialId: string, origins?: readonly string[]): void;
  /** Ends every watch: with a reason when changes may have been missed. */
  end(error?: Error): void;
}

interface Watcher {
  readonly watch: DeliveryWatch;
  offer(id: string): void;
  end(error?: Error): void;
}

/** Watchers get the present state of deliveries: one that changes faster than it is read is shown once. */
export function createDeliveryWatchers(em: EntityManager): DeliveryWatchers {
  const watchers = new Set<Watcher>();
  return {
    watch: (watch) => watcherOf(em, watch, watchers),
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
    dismiss(credentialId, origins) {
      for (const { watch, end } of watchers) {
        const refusal = watch.credentialId === credentialId && refusalOf(watch.origin, origins);
        if (refusal) end(refusal);
      }
    },
    end(error) {
      for (const { end } of watchers) end(error);
    },
  };
}

/** The refusal of watchers after the connection for changes was lost. */
export const watchInterrupted = () =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'Changes may have been missed: read the deliveries again and watch them anew',
  );

function watcherOf(
  em: EntityManager,
  watch: DeliveryWatch,
  watchers: Set<Watcher>,
): AsyncIterableIterator<ChangedDelivery> {
  const changed = new Set<string>();
  const reader = new LiveReader<ChangedDelivery>({
    take() {
      const [id] = changed;
      if (id === undefined) return undefined;
      changed.delete(id);
      return { id };
    },
    onEnd() {
      changed.clear();
      stopWaiting();
      watchers.delete(watcher);
    },
  });
  const watcher: Watcher = {
    watch,
    offer(id) {
      changed.add(id);
      reader.wake();
    },
    end: (error) => reader.end(error && { error }),
  };
  const stopWaiting = onExpiry(em, watch.expiresAt, () => watcher.end(keyGone()));
  watchers.add(watcher);
  return reader;
}
