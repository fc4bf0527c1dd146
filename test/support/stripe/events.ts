import type { StripeState, Thing } from './state.ts';

/** Writes an event with a snapshot of its object. */
export function emit(state: StripeState, type: string, object: Thing): Thing {
  return state.add('evt', {
    type,
    api_version: '2026-10-28.endive',
    data: { object: structuredClone(object) },
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
  });
}
