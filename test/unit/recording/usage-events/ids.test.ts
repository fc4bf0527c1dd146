import { expect, test } from 'vitest';
import { usageEventId } from '#domain/recording/usage-event-id.ts';

// A repeated report after an update of the service must find the event that an earlier version stored.
test.for([
  ['order 1', 'usage_event_mcXGHxEnEZ4j4pl1jZDCI'],
  ['größe €', 'usage_event_OQNdMgZ4dHjapQBXuRpi9'],
] as const)(
  'the transaction id %s has the same event id in all versions',
  ([transactionId, id]) => {
    expect(usageEventId('usage_meter_1', transactionId)).toBe(id);
  },
);
