import type { Filters } from '../../parts/lists/use-filters.ts';
import type { CustomersQueryVariables } from './customers.generated.ts';

/** The conditions of the list, as the address of the page states them. */
export function whereOf(filters: Filters): NonNullable<CustomersQueryVariables['where']> {
  const search = filters.get('search');
  const status = filters.get('status');
  const owes = filters.get('owes');
  const currency = filters.get('currency');
  const clock = filters.get('clock');
  return {
    ...(search && { search }),
    ...(status && { subscriptionStatus: { is: status as 'active' } }),
    ...(owes && { owes: owes === 'yes' }),
    ...(currency && { currency: { is: currency.toUpperCase() } }),
    ...(clock && { testClock: { is: clock } }),
    ...(filters.get('archived') === 'yes' && { archived: true }),
  };
}
