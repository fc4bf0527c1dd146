import { ref } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { largestSubtotal } from '#domain/metering/ledger/largest-usage.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { Line } from './open-invoice.ts';

/** The largest amount of a one-off charge, in minor units: any invoice has room for one next to its plan and usage. */
export const largestCharge = Math.floor(largestSubtotal / 8);

/** The line of a one-off charge. */
export interface OneOffLine extends Line {
  readonly type: 'one_off';
  readonly charge: OneOffCharge;
}

/** The pending one-off charges of a locked subscription, in their order; none of one that is not charged. */
export async function pendingOneOffs(
  { em }: Session,
  { id, doNotCharge }: Subscription,
): Promise<OneOffCharge[]> {
  if (doNotCharge) return [];
  const pending = { subscription: id, billedAt: null };
  const charges = await em.find(OneOffCharge, pending, { orderBy: { position: 'asc' } });
  // Most subscriptions have none.
  if (charges.length > 0) await em.populate(charges, ['billingPeriod']);
  return charges;
}

/**
 * The lines of pending one-off charges next to other charges of `others` minor units. One that the invoice has no room
 * for waits for the next one, as does one for a period that is running: until its end a change of the plan may reduce
 * it.
 */
export function oneOffLines(
  { now }: Pick<Session, 'now'>,
  pending: readonly OneOffCharge[],
  others: number,
): OneOffLine[] {
  let room = Math.floor(largestSubtotal / 2) - others;
  return pending.flatMap((charge) => {
    const { name, description, quantity, unitPrice, priceId, amount } = charge;
    if (amount > room || isRunning(charge, now)) return [];
    room -= amount;
    return {
      type: 'one_off',
      description: description ? `${name} - ${description}` : name,
      quantity,
      price: unitPrice,
      amount,
      priceId,
      oneOffChargeId: charge.id,
      charge,
    };
  });
}

function isRunning({ billingPeriod }: OneOffCharge, now: Date): boolean {
  const period = billingPeriod?.unwrap();
  return period != null && !period.isTerminal && period.endDate > now;
}

/** Marks the charges of lines as billed by their invoice. */
export function billOneOffs({ now }: Session, invoice: Invoice, lines: readonly OneOffLine[]) {
  for (const { charge } of lines) {
    charge.invoice = ref(invoice);
    charge.billedAt = now;
  }
}

/** Explains the line of a one-off charge. */
export function explainOneOff(lineItem: InvoiceLineItem, money: (amount: number) => string) {
  const { price, quantity, amount, priceId, oneOffChargeId } = lineItem;
  const rounded = Number.isInteger(quantity) ? '' : ', rounded half up';
  return {
    lineItem,
    amount,
    steps: ['once', `${money(price)} × ${quantity}${rounded} = ${money(amount)}`],
    sources: [oneOffChargeId, priceId].filter((source) => source != null),
    usage: [],
    differences: [],
  };
}
