import { revenueChanges } from '#domain/platform/commands/organizations/revenue-changes.ts';
import { revenueTotals } from '#domain/platform/commands/organizations/revenue-totals.ts';
import { builder } from '../engine/builder.ts';
import { RevenueTotals } from './revenue.ts';

builder.subscriptionField('revenueChanged', (t) =>
  t.field({
    type: [RevenueTotals],
    description:
      'Emits the revenue of the API key’s pricing model for each currency, immediately and after changes, at most once a second. Changes concern payments, refunds, invoices and subscriptions.',
    subscribe: (_root, _args, session) => revenueChanges(session),
    resolve: (_change, _args, session) => revenueTotals(session),
  }),
);
