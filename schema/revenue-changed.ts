import { revenueChanges } from '#domain/organizations/revenue-changes.ts';
import { revenueTotals } from '#domain/organizations/revenue-totals.ts';
import { builder } from './engine/builder.ts';
import { RevenueTotals } from './revenue.ts';

builder.subscriptionField('revenueChanged', (t) =>
  t.field({
    type: [RevenueTotals],
    description:
      'How the business of the API key’s pricing model stands: at once, and again when payments, refunds, invoices or subscriptions have changed, at most once a second.',
    subscribe: (_root, _args, session) => revenueChanges(session),
    resolve: (_change, _args, session) => revenueTotals(session),
  }),
);
