import { randomUUID } from 'node:crypto';
import { type TestMethod, testMethods } from './cards.ts';
import { openDispute } from './disputes.ts';
import { emit } from './events.ts';
import { number, type Parameters, record, text } from './form.ts';
import { invalidRequest, missing, Refusal } from './refusal.ts';
import type { StripeState, Thing } from './state.ts';

/** The behaviour of a stored payment method. */
export const behaviourOf = (method: Thing): TestMethod =>
  testMethods[method.test_name as keyof typeof testMethods];

export function createIntent(state: StripeState, params: Parameters): Thing {
  const amount = number(params.amount) ?? 0;
  if (!Number.isSafeInteger(amount) || amount < 1) {
    throw invalidRequest('Invalid integer', { code: 'parameter_invalid_integer', param: 'amount' });
  }
  const currency = text(params.currency) ?? '';
  if (currency !== currency.toLowerCase()) throw invalidRequest(`Invalid currency: ${currency}`);
  if (currency === 'usd' && amount < 50) {
    throw invalidRequest('Amount must be at least 50', {
      code: 'amount_too_small',
      param: 'amount',
    });
  }
  const customer = text(params.customer);
  if (customer) presentCustomer(state, customer);
  const method = text(params.payment_method);
  if (method) ownedMethod(state, method, customer);
  const intent = state.add('pi', {
    amount,
    amount_received: 0,
    currency,
    customer,
    payment_method: method,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    automatic_payment_methods: params.automatic_payment_methods ?? null,
    description: text(params.description),
    metadata: { ...record(params.metadata) },
    setup_future_usage: text(params.setup_future_usage),
    client_secret: randomUUID(),
    last_payment_error: null,
    latest_charge: null,
    next_action: null,
    canceled_at: null,
  });
  emit(state, 'payment_intent.created', intent);
  return intent;
}

function presentCustomer(state: StripeState, id: string): Thing {
  const customer = state.get('cus', id, 'customer');
  if (customer.deleted) throw missing('customer', id, 'customer');
  return customer;
}

function ownedMethod(state: StripeState, id: string, customer: string | null): Thing {
  const method = state.get('pm', id, 'payment_method');
  if (method.customer !== customer) throw missing('PaymentMethod', id, 'payment_method');
  return method;
}

/** Confirms an intent: this is the one place where money moves. */
export function confirmIntent(state: StripeState, intent: Thing, params: Parameters): Thing {
  const chosen = text(params.payment_method) ?? intent.payment_method;
  const isOpen = ['requires_confirmation', 'requires_payment_method', 'requires_action'];
  if (!isOpen.includes(intent.status) || !chosen) {
    throw invalidRequest(`The intent is ${intent.status}`, {
      code: 'payment_intent_unexpected_state',
    });
  }
  if (intent.customer) presentCustomer(state, intent.customer);
  const method = ownedMethod(state, chosen, intent.customer);
  const allowed = intent.allowed_payment_method_types;
  if (!allowed && !text(params.return_url)) {
    throw invalidRequest('A return_url is needed', {
      code: 'parameter_missing',
      param: 'return_url',
    });
  }
  if (allowed && !allowed.includes(method.type)) {
    throw invalidRequest('The type is not allowed', { param: 'payment_method' });
  }
  intent.payment_method = chosen;
  return attempt(state, intent, method, params.off_session === 'true', text(params.return_url));
}

/** One attempt to take the money of an intent. */
export function attempt(
  state: StripeState,
  intent: Thing,
  method: Thing,
  offSession: boolean,
  returnUrl: string | null,
): Thing {
  const { authentication, decline, debit, dispute } = behaviourOf(method);
  const asks = authentication === 'always' || (method.needs_setup && !method.is_set_up);
  if (asks && offSession) {
    throw declined(state, intent, method, {
      code: 'authentication_required',
      decline_code: 'authentication_required',
    });
  }
  if (asks && returnUrl) {
    const url = `https://stripe.example/3ds/${intent.id}`;
    intent.status = 'requires_action';
    intent.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { url, return_url: returnUrl },
    };
    emit(state, 'payment_intent.requires_action', intent);
    return intent;
  }
  if (decline) throw declined(state, intent, method, decline);
  const charge = makeCharge(state, intent, method, debit ? 'pending' : 'succeeded');
  if (debit) {
    intent.status = 'processing';
    emit(state, 'payment_intent.processing', intent);
    return intent;
  }
  succeed(state, intent, charge);
  if (dispute) openDispute(state, charge);
  return intent;
}

function succeed(state: StripeState, intent: Thing, charge: Thing) {
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    last_payment_error: null,
    next_action: null,
  });
  Object.assign(charge, { status: 'succeeded', paid: true, captured: true });
  emit(state, 'payment_intent.succeeded', intent);
  emit(state, 'charge.succeeded', charge);
  const fee = Math.round(charge.amount * 0.029);
  const transaction = state.add('txn', {
    type: 'charge',
    amount: charge.amount,
    fee,
    net: charge.amount - fee,
    currency: charge.currency,
  });
  charge.balance_transaction = transaction.id;
  emit(state, 'charge.updated', charge);
}

/** A bank has decided about a debit that was processing. */
export function settleDebit(state: StripeState, intent: Thing) {
  const charge = state.get('ch', intent.latest_charge);
  const method = state.get('pm', charge.payment_method);
  if (behaviourOf(method).debit === 'succeeds') return succeed(state, intent, charge);
  Object.assign(charge, {
    status: 'failed',
    failure_code: 'account_closed',
    failure_message: 'Closed',
  });
  fail(state, intent, {
    type: 'card_error',
    code: 'payment_intent_payment_attempt_failed',
    message: 'The debit failed',
  });
}

function makeCharge(state: StripeState, intent: Thing, method: Thing, status: string): Thing {
  const charge = state.add('ch', {
    amount: intent.amount,
    amount_refunded: 0,
    currency: intent.currency,
    customer: intent.customer,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: method.type, [method.type]: method[method.type] },
    metadata: { ...intent.metadata },
    status,
    paid: status === 'succeeded',
    captured: status === 'succeeded',
    disputed: false,
    refunded: false,
    balance_transaction: null,
    failure_code: null,
    failure_message: null,
    outcome: {
      type: status === 'failed' ? 'issuer_declined' : 'authorized',
      network_status: 'approved_by_network',
    },
    receipt_url: `https://stripe.example/receipts/${intent.id}`,
  });
  intent.latest_charge = charge.id;
  return charge;
}

function declined(state: StripeState, intent: Thing, method: Thing, reason: Thing): Refusal {
  const charge = makeCharge(state, intent, method, 'failed');
  Object.assign(charge, { failure_code: reason.code, failure_message: 'Your card was declined.' });
  const error = {
    type: 'card_error',
    message: 'Your card was declined.',
    ...reason,
    charge: charge.id,
  };
  fail(state, intent, { ...error, payment_method: structuredClone(method) });
  return new Refusal(402, { ...error, payment_intent: structuredClone(intent) });
}

function fail(state: StripeState, intent: Thing, error: Thing) {
  Object.assign(intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: error,
  });
  emit(state, 'payment_intent.payment_failed', intent);
}

export function cancelIntent(state: StripeState, intent: Thing): Thing {
  if (['succeeded', 'canceled', 'processing'].includes(intent.status)) {
    throw invalidRequest(`The intent is ${intent.status}`, {
      code: 'payment_intent_unexpected_state',
    });
  }
  Object.assign(intent, { status: 'canceled', canceled_at: state.seconds(), next_action: null });
  emit(state, 'payment_intent.canceled', intent);
  return intent;
}
