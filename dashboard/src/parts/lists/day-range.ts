import { startOf } from '../texts/days.ts';
import type { Filters } from './use-filters.ts';

/** Two conditions of an address, days of UTC, as a condition on a time. */
export function timeWhereOf(
  filters: Filters,
  first = 'from',
  last = 'to',
): { from?: number; to?: number } | undefined {
  const from = startOf(filters.get(first));
  const to = startOf(filters.get(last));
  if (from === undefined && to === undefined) return undefined;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
