import { committedBy } from '#domain/invoicing/billing/reckon-terms.ts';
import type { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';

/** Explains the line of a commitment: the committed amount, what counts for it, and the difference that it bills. */
export function explainCommitment(lineItem: InvoiceLineItem, money: (amount: number) => string) {
  const { id, amount, committedPeriodId, undoneLineItemId, commitment } = lineItem;
  const sources = [committedPeriodId, undoneLineItemId].filter((source) => source != null);
  const explained = { lineItem, amount, sources, usage: [] };
  if (!commitment) return { ...explained, steps: [], differences: [] };
  const { start, end, committed, usage, plan, before, rest, parts } = commitment;
  const all = committedBy(
    commitment.amount,
    parts.map(([numerator, denominator]) => [BigInt(numerator), BigInt(denominator)]),
  );
  const missing = Math.max(0, all - usage - plan);
  const billed = missing - before - rest;
  const date = (at: number) => new Date(at).toISOString();
  const shares = parts.map(([a, b]) => (b === '1' ? a : `${a}/${b}`)).join(' + ');
  const reached = plan === 0 ? money(usage) : `usage ${money(usage)} + plan ${money(plan)}`;
  return {
    ...explained,
    steps: [
      `from ${date(start)} to ${date(end)}`,
      `committed: ${money(commitment.amount)} × (${shares}), rounded half up = ${money(committed)}`,
      `reached, before discounts: ${reached}`,
      `difference: ${money(missing)}`,
      ...(before === 0 ? [] : [`billed by earlier lines: ${money(before)}`]),
      ...(rest === 0 ? [] : [`not on this line: ${money(rest)}`]),
      `billed here: ${money(billed)}`,
    ],
    differences:
      all === committed && billed === amount
        ? []
        : [`${id}: the difference to the commitment is ${money(billed)}, not ${money(amount)}`],
  };
}
