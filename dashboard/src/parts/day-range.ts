import type { Filters } from './use-filters.ts';

/** The conditions `from` and `to` of an address, days of UTC, as a condition on a time. */
export function timeWhereOf(filters: Filters): { from?: number; to?: number } | undefined {
  const from = dayOf(filters.get('from'));
  const to = dayOf(filters.get('to'));
  if (from === undefined && to === undefined) return undefined;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function dayOf(text: string | undefined): number | undefined {
  const instant = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}
