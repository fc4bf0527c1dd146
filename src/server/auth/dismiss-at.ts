import type { EntityManager } from '@mikro-orm/postgresql';
import type { EventHub } from '../feed/event-hub.ts';
import { onExpiry } from '../feed/key-expiry.ts';

/** A key whose expiry has changed: its live subscriptions end with it. */
export function dismissAt(em: EntityManager, hub: EventHub, apiKeyId: string, at: number) {
  onExpiry(em, new Date(at), () => hub.dismiss(apiKeyId));
}
