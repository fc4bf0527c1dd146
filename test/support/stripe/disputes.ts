import { emit } from './events.ts';
import type { StripeState, Thing } from './state.ts';

const fee = 1_500;

/** A bank objects to a charge, and its money is withdrawn. */
export function openDispute(state: StripeState, charge: Thing): Thing {
  charge.disputed = true;
  const withdrawal = state.add('txn', {
    type: 'adjustment',
    amount: -charge.amount,
    fee,
    net: -charge.amount - fee,
    currency: charge.currency,
    exchange_rate: null,
  });
  const dispute = state.add('du', {
    amount: charge.amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
    is_charge_refundable: false,
    metadata: {},
    balance_transactions: [withdrawal],
    evidence_details: { due_by: state.seconds() + 7 * 86_400, has_evidence: false },
  });
  emit(state, 'charge.dispute.created', dispute);
  emit(state, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** The bank has decided. */
export function closeDispute(state: StripeState, dispute: Thing, status: 'won' | 'lost') {
  dispute.status = status;
  if (status === 'won') {
    const back = { type: 'adjustment', amount: dispute.amount, fee: 0, net: dispute.amount };
    dispute.balance_transactions.push(
      state.add('txn', { ...back, currency: dispute.currency, exchange_rate: null }),
    );
    emit(state, 'charge.dispute.funds_reinstated', dispute);
  }
  emit(state, 'charge.dispute.closed', dispute);
}
