import { type TestMethodName, testMethods } from './cards.ts';
import { emit } from './events.ts';
import { number, type Parameters, record, text } from './form.ts';
import { attempt, createIntent } from './intents.ts';
import { invalidRequest, Refusal } from './refusal.ts';
import type { StripeState, Thing } from './state.ts';

const day = 86_400;

export function createSession(state: StripeState, params: Parameters): Thing {
  const mode = text(params.mode);
  if (mode !== 'setup' && mode !== 'payment')
    throw invalidRequest('Unknown mode', { param: 'mode' });
  if (params.ui_mode !== undefined && params.ui_mode !== 'hosted_page') {
    throw invalidRequest('Unknown ui_mode', { param: 'ui_mode' });
  }
  if (!text(params.success_url)) throw invalidRequest('success_url is needed');
  if (mode === 'setup' && !params.currency && !params.allowed_payment_method_types) {
    throw invalidRequest('currency is needed', { param: 'currency' });
  }
  const customer = state.get('cus', params.customer, 'customer').id;
  const [line] = (params.line_items ?? []) as Thing[];
  if (mode === 'payment' && !line) throw invalidRequest('line_items are needed');
  const setup =
    mode === 'setup'
      ? state.add('seti', {
          customer,
          status: 'requires_payment_method',
          payment_method: null,
          usage: 'off_session',
          metadata: { ...record((params.setup_intent_data as Parameters)?.metadata) },
        })
      : null;
  const session = state.add('cs', {
    mode,
    customer,
    status: 'open',
    payment_status: mode === 'setup' ? 'no_payment_required' : 'unpaid',
    currency: text(params.currency) ?? line?.price_data.currency,
    amount_total: line ? (number(line.price_data.unit_amount) ?? 0) * Number(line.quantity) : null,
    payment_intent: null,
    setup_intent: setup?.id ?? null,
    metadata: { ...record(params.metadata) },
    expires_at: number(params.expires_at) ?? state.seconds() + day,
    success_url: text(params.success_url),
    cancel_url: text(params.cancel_url),
    payment_intent_data: params.payment_intent_data ?? {},
  });
  session.url = `https://checkout.stripe.example/c/${session.id}`;
  return session;
}

/** Ends sessions whose time is over. */
export function expireDue(state: StripeState) {
  for (const session of state.all('cs')) {
    if (session.status === 'open' && session.expires_at <= state.seconds())
      expireSession(state, session);
  }
}

export function expireSession(state: StripeState, session: Thing): Thing {
  if (session.status !== 'open') throw invalidRequest(`The session is ${session.status}`);
  Object.assign(session, { status: 'expired', url: null });
  if (session.payment_intent) {
    const intent = state.get('pi', session.payment_intent);
    if (intent.status === 'requires_payment_method') intent.status = 'canceled';
  }
  emit(state, 'checkout.session.expired', session);
  return session;
}

export function newMethod(
  state: StripeState,
  name: TestMethodName,
  customer: string | null,
): Thing {
  const { type, last4 } = testMethods[name];
  const shown = {
    card: { brand: 'visa', last4, exp_month: 12, exp_year: 2030, funding: 'credit', country: 'US' },
    us_bank_account: { bank_name: 'STRIPE TEST BANK', last4, account_type: 'checking' },
    sepa_debit: { bank_code: '19043', last4, country: 'AT' },
  };
  return state.add('pm', {
    type,
    [type]: shown[type],
    test_name: name,
    customer,
    billing_details: { name: 'Ada', email: 'ada@example.com', address: { country: 'US' } },
    needs_setup: name === 'authenticationOnSetup',
    is_set_up: false,
    metadata: {},
  });
}

/** The customer completes a page with a payment method. Returns whether the page is complete. */
export function completeSession(state: StripeState, id: string, name: TestMethodName): boolean {
  const session = state.get('cs', id);
  if (session.status !== 'open') throw new Error(`The page ${id} is ${session.status}`);
  const method = newMethod(state, name, session.customer);
  // On the page the customer confirms what the bank asks for.
  method.is_set_up = true;
  emit(state, 'payment_method.attached', method);
  if (session.mode === 'payment' && !pay(state, session, method)) return false;
  const setup = session.setup_intent && state.get('seti', session.setup_intent);
  if (setup) {
    Object.assign(setup, { status: 'succeeded', payment_method: method.id });
    emit(state, 'setup_intent.succeeded', setup);
  }
  Object.assign(session, { status: 'complete', url: null });
  emit(state, 'checkout.session.completed', session);
  return true;
}

function pay(state: StripeState, session: Thing, method: Thing): boolean {
  const { description, metadata } = session.payment_intent_data;
  const intent = session.payment_intent
    ? state.get('pi', session.payment_intent)
    : createIntent(state, {
        amount: String(session.amount_total),
        currency: session.currency,
        customer: session.customer,
        allowed_payment_method_types: ['card', 'us_bank_account', 'sepa_debit'],
        ...(description && { description }),
        ...(metadata && { metadata }),
      });
  session.payment_intent = intent.id;
  intent.payment_method = method.id;
  try {
    attempt(state, intent, method, false, null);
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
  session.payment_status = intent.status === 'succeeded' ? 'paid' : 'unpaid';
  return true;
}
