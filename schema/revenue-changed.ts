import { eventTypes } from '#domain/events/event-types.ts';
import { revenueTotals } from '#domain/organizations/revenue-totals.ts';
import { builder } from './engine/builder.ts';
import { throttled } from './engine/throttled.ts';
import { RevenueTotals } from './revenue.ts';

const pauseMilliseconds = 1_000;

/** The types of objects whose changes can affect the totals. */
const types = eventTypes.filter((type) =>
  /^(payment|refund|invoice|subscription|subscription_item|customer|test_clock)\./.test(type),
);

builder.subscriptionField('revenueChanged', (t) =>
  t.field({
    type: [RevenueTotals],
    description:
      'Emits the revenue of the API key’s pricing model immediately and after changes, at most once a second. Changes concern payments, refunds, invoices and subscriptions.',
    subscribe: async (_root, _args, { follow }) =>
      throttled(await follow({ types }), pauseMilliseconds),
    resolve: (_change, _args, session) => revenueTotals(session),
  }),
);
