import type { FilterChoice } from '../../parts/lists/conditions.ts';
import {
  amountRange,
  byCurrency,
  byCustomer,
  dayRange,
  isYes,
  whereOf,
} from '../../parts/lists/conditions.ts';
import type { Filters } from '../../parts/lists/use-filters.ts';
import type { InvoicesQueryVariables } from './invoices.generated.ts';

/** The conditions that a list of invoices can have. */
export const invoiceChoices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Status',
    values: [
      'draft',
      'open',
      'awaiting_payment_confirmation',
      'paid',
      'partially_refunded',
      'refunded',
      'uncollectible',
      'void',
    ],
  },
  { name: 'overdue', label: 'Overdue', values: ['yes', 'no'], condition: isYes },
  byCustomer,
  {
    name: 'purpose',
    label: 'Purpose',
    values: ['period', 'adjustment', 'last_usage', 'threshold', 'usage_correction', 'manual'],
  },
  {
    name: 'method',
    label: 'Payment',
    values: ['charge_automatically', 'send_invoice'],
    of: 'collectionMethod',
  },
  byCurrency,
  ...amountRange('total', 'Total'),
  ...dayRange('invoiceDate'),
];

/** The conditions of an address as those of the graph. */
export const invoicesWhere = (filters: Filters, ownCurrency: string | undefined) => {
  const search = filters.get('search');
  return {
    ...(search && { search }),
    ...whereOf<InvoicesQueryVariables['where']>(filters, invoiceChoices, ownCurrency),
  };
};
