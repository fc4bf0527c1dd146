import { emit } from './events.ts';
import { number, type Parameters, record, text } from './form.ts';
import { behaviourOf } from './intents.ts';
import { invalidRequest } from './refusal.ts';
import type { StripeState, Thing } from './state.ts';

export function createRefund(state: StripeState, params: Parameters): Thing {
  const intent = params.payment_intent
    ? state.get('pi', params.payment_intent, 'payment_intent')
    : null;
  const charge = state.get('ch', text(params.charge) ?? intent?.latest_charge, 'charge');
  if (charge.status !== 'succeeded') throw invalidRequest('The charge has not succeeded');
  if (charge.disputed) throw invalidRequest('The charge is disputed', { code: 'charge_disputed' });
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    throw invalidRequest('Already refunded', { code: 'charge_already_refunded' });
  }
  const amount = number(params.amount) ?? left;
  if (amount > left) {
    throw invalidRequest(`Refund amount ${amount} is more than ${left}`, { param: 'amount' });
  }
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  const { refund: behaviour } = behaviourOf(state.get('pm', charge.payment_method));
  const refund = state.add('re', {
    amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    metadata: { ...record(params.metadata) },
    reason: null,
    status: behaviour === 'pending' ? 'pending' : 'succeeded',
  });
  emit(state, 'refund.created', refund);
  return refund;
}

/** A refund ends later: one that was pending, or one that had succeeded. */
export function settleRefund(state: StripeState, refund: Thing, status: 'succeeded' | 'failed') {
  refund.status = status;
  if (status === 'succeeded') {
    emit(state, 'refund.updated', refund);
    return;
  }
  refund.failure_reason = 'expired_or_canceled_card';
  const charge = state.get('ch', refund.charge);
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  emit(state, 'refund.failed', refund);
}
