import type { BillingPeriod } from './billing-period.ts';

/**
 * Closes a period at its end: completed when nothing is owed for it, past due otherwise (reference §4.7).
 * One that is final already stays so.
 */
export async function closePeriod(period: BillingPeriod, isCharged: boolean) {
  if (period.isTerminal) return;
  const items = await period.items.loadItems();
  const value = items.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
  period.status = isCharged && value > 0 ? 'past_due' : 'completed';
}
