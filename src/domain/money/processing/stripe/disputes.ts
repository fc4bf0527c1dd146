import type Stripe from 'stripe';
import type { DisputeStatus } from '#domain/model/money/dispute.ts';
import type { DisputeState } from '#domain/money/processing/port/processor-objects.ts';
import { fromStripe, fromStripeCurrency } from './amounts.ts';
import { asked, isMissing } from './failures.ts';
import { idOf } from './find.ts';

/** Statuses of Stripe in our words; an unknown one is not decided yet. */
const statuses: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'inquiry_closed',
  needs_response: 'opened',
  under_review: 'under_review',
  appeal_needs_response: 'under_review',
  appeal_under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  prevented: 'prevented',
};

/** A dispute by its id; undefined for an unknown one. */
export async function readDispute(
  stripe: Stripe,
  reference: string,
): Promise<DisputeState | undefined> {
  try {
    return disputeState(await asked(stripe.disputes.retrieve(reference)));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function disputeState(dispute: Stripe.Dispute): DisputeState {
  const { currency, evidence_details: evidence } = dispute;
  const amount = fromStripe(dispute.amount, currency);
  const moved = dispute.balance_transactions.map((transaction) => movement(dispute, transaction));
  return {
    reference: dispute.id,
    paymentReference: idOf(dispute.payment_intent),
    chargeReference: idOf(dispute.charge),
    status: statuses[dispute.status] ?? 'under_review',
    amount,
    currency: fromStripeCurrency(currency),
    reason: dispute.reason,
    withdrawnAmount: sum(moved.map(({ withdrawn }) => withdrawn)),
    fee: sum(moved.map(({ fee }) => fee)),
    evidenceDueAt: evidence.due_by ? new Date(evidence.due_by * 1_000) : null,
    openedAt: new Date(dispute.created * 1_000),
  };
}

/**
 * The amount that a transaction of the balance has moved, in the currency of the dispute. The balance may have another
 * currency; then a withdrawal and its reinstatement count as the whole amount, and the fee is converted.
 */
function movement(
  dispute: Stripe.Dispute,
  { amount, fee, currency, exchange_rate: rate }: Stripe.BalanceTransaction,
) {
  if (currency === dispute.currency) {
    return { withdrawn: fromStripe(-amount, currency), fee: fromStripe(fee, currency) };
  }
  const whole = fromStripe(dispute.amount, dispute.currency);
  const withdrawn = -Math.sign(amount) * whole;
  return { withdrawn, fee: rate ? Math.round(fee / rate) : 0 };
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
