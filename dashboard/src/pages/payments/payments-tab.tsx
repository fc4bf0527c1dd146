import { Stack } from '@mantine/core';
import { amountWhereOf } from '../../parts/lists/amount-where.ts';
import { timeWhereOf } from '../../parts/lists/day-range.ts';
import { FilterBar, type FilterChoice } from '../../parts/lists/filter-bar.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { useOwnCurrency } from '../../parts/use-own-currency.ts';
import type { PaymentsQueryVariables } from './payments.generated.ts';
import { PaymentsTable } from './payments-table.tsx';

const choices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Status',
    values: ['succeeded', 'failed', 'processing', 'requires_action', 'refunded', 'canceled'],
  },
  { name: 'customer', label: 'Customer', kind: 'customer' },
  {
    name: 'kind',
    label: 'Kind of failure',
    values: ['soft', 'hard', 'card_data', 'authentication', 'configuration'],
  },
  { name: 'refunded', label: 'Refunded', values: ['yes', 'no'] },
  { name: 'disputed', label: 'Disputed', values: ['yes', 'no'] },
  { name: 'external', label: 'Recorded by hand', values: ['yes', 'no'] },
  { name: 'currency', label: 'Currency' },
  { name: 'min', label: 'Amount from', kind: 'amount' },
  { name: 'max', label: 'Amount to', kind: 'amount' },
  { name: 'from', label: 'From day', kind: 'day' },
  { name: 'to', label: 'Before day', kind: 'day' },
];

/** All payments, with their conditions. */
export function PaymentsTab({ filters }: { readonly filters: Filters }) {
  const ownCurrency = useOwnCurrency();
  return (
    <Stack gap="md">
      <FilterBar filters={filters} choices={choices} />
      <PaymentsTable
        where={whereOf(filters, ownCurrency)}
        order={filters.get('order') ?? 'charge_date_desc'}
        onOrder={(next) => filters.set('order', next)}
        height="calc(100dvh - 320px)"
      />
    </Stack>
  );
}

function whereOf(
  filters: Filters,
  ownCurrency: string | undefined,
): NonNullable<PaymentsQueryVariables['where']> {
  const status = filters.get('status');
  const customer = filters.get('customer');
  const failureKind = filters.get('kind');
  const refunded = filters.get('refunded');
  const disputed = filters.get('disputed');
  const external = filters.get('external');
  const currency = filters.get('currency');
  const amount = amountWhereOf(filters, ownCurrency);
  const chargeDate = timeWhereOf(filters);
  return {
    ...(status && { status: { is: status as 'failed' } }),
    ...(customer && { customer: { is: customer } }),
    ...(failureKind && { failureKind: { is: failureKind as 'soft' } }),
    ...(refunded && { refunded: refunded === 'yes' }),
    ...(disputed && { disputed: disputed === 'yes' }),
    ...(external && { external: external === 'yes' }),
    ...(currency && { currency: { is: currency.toUpperCase() } }),
    ...(amount && { amount }),
    ...(chargeDate && { chargeDate }),
  };
}
