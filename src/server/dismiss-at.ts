import type { EventHub } from './event-hub.ts';

const longestTimerMilliseconds = 2_147_483_647;

/** A key whose expiry has changed: its live subscriptions end with it. */
export function dismissAt(hub: EventHub, apiKeyId: string, at: number) {
  const milliseconds = at - Date.now();
  if (milliseconds > longestTimerMilliseconds) return;
  setTimeout(() => hub.dismiss(apiKeyId), Math.max(0, milliseconds)).unref();
}
