import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { PrepaidCreditUse } from '#domain/model/money/prepaid-credit-use.ts';

/** The steps of the payment of an invoice by prepaid credits, one for each. */
export async function explainPrepaid(
  { em }: Session,
  { id, prepaidApplied }: Invoice,
  money: (amount: number) => string,
): Promise<string[]> {
  if (prepaidApplied === 0) return [];
  const uses = await em.find(PrepaidCreditUse, { invoice: id, amount: { $gt: 0 } });
  return uses.map(({ creditId, amount, returned }) => {
    const back = returned > 0 ? `, ${money(returned)} returned to it` : '';
    return `paid by ${creditId}: ${money(amount)}${back}`;
  });
}
