import { amountWhereOf } from '../../parts/lists/amount-where.ts';
import { timeWhereOf } from '../../parts/lists/day-range.ts';
import type { FilterChoice } from '../../parts/lists/filter-bar.tsx';
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
  { name: 'overdue', label: 'Overdue', values: ['yes', 'no'] },
  { name: 'customer', label: 'Customer', kind: 'customer' },
  {
    name: 'purpose',
    label: 'Purpose',
    values: ['period', 'adjustment', 'last_usage', 'threshold', 'usage_correction', 'manual'],
  },
  { name: 'method', label: 'Payment', values: ['charge_automatically', 'send_invoice'] },
  { name: 'currency', label: 'Currency' },
  { name: 'min', label: 'Total from', kind: 'amount' },
  { name: 'max', label: 'Total to', kind: 'amount' },
  { name: 'from', label: 'From day', kind: 'day' },
  { name: 'to', label: 'Before day', kind: 'day' },
];

/** The conditions of an address as those of the graph. */
export function invoicesWhere(
  filters: Filters,
  ownCurrency: string | undefined,
): NonNullable<InvoicesQueryVariables['where']> {
  const search = filters.get('search');
  const status = filters.get('status');
  const overdue = filters.get('overdue');
  const customer = filters.get('customer');
  const purpose = filters.get('purpose');
  const method = filters.get('method');
  const currency = filters.get('currency');
  const total = amountWhereOf(filters, ownCurrency);
  const invoiceDate = timeWhereOf(filters);
  return {
    ...(search && { search }),
    ...(status && { status: { is: status as 'open' } }),
    ...(overdue && { overdue: overdue === 'yes' }),
    ...(customer && { customer: { is: customer } }),
    ...(purpose && { purpose: { is: purpose as 'manual' } }),
    ...(method && { collectionMethod: { is: method as 'send_invoice' } }),
    ...(currency && { currency: { is: currency.toUpperCase() } }),
    ...(total && { total }),
    ...(invoiceDate && { invoiceDate }),
  };
}
