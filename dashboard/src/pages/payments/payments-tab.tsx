import { Stack } from '@mantine/core';
import type { FilterChoice } from '../../parts/lists/conditions.ts';
import {
  amountRange,
  byCurrency,
  byCustomer,
  dayRange,
  isYes,
  whereOf,
} from '../../parts/lists/conditions.ts';
import { FilterBar } from '../../parts/lists/filter-bar.tsx';
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
  byCustomer,
  {
    name: 'kind',
    label: 'Kind of failure',
    values: ['soft', 'hard', 'card_data', 'authentication', 'configuration'],
    of: 'failureKind',
  },
  { name: 'refunded', label: 'Refunded', values: ['yes', 'no'], condition: isYes },
  { name: 'disputed', label: 'Disputed', values: ['yes', 'no'], condition: isYes },
  { name: 'external', label: 'Recorded by hand', values: ['yes', 'no'], condition: isYes },
  byCurrency,
  ...amountRange('amount', 'Amount'),
  ...dayRange('chargeDate'),
];

/** All payments, with their conditions. */
export function PaymentsTab({ filters }: { readonly filters: Filters }) {
  const ownCurrency = useOwnCurrency();
  return (
    <Stack gap="md">
      <FilterBar filters={filters} choices={choices} />
      <PaymentsTable
        where={whereOf<PaymentsQueryVariables['where']>(filters, choices, ownCurrency)}
        order={filters.get('order') ?? 'charge_date_desc'}
        onOrder={(next) => filters.set('order', next)}
        height="calc(100dvh - 320px)"
      />
    </Stack>
  );
}
