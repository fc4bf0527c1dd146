import { createSession, expireSession } from './checkout.ts';
import { emit } from './events.ts';
import type { Parameters } from './form.ts';
import { record, text } from './form.ts';
import { cancelIntent, confirmIntent, createIntent } from './intents.ts';
import { createRefund } from './refunds.ts';
import { invalidRequest } from './refusal.ts';
import type { Prefix, StripeState, Thing } from './state.ts';

export type Route = (state: StripeState, params: Parameters, id: string) => Thing;

const one =
  (prefix: Prefix): Route =>
  (state, _params, id) =>
    state.get(prefix, id);

const filtered =
  (prefix: Prefix, ...names: string[]): Route =>
  (state, params) =>
    state.page(prefix, params, (thing) =>
      names.every((name) => params[name] === undefined || thing[name] === params[name]),
    );

/** The requests that the fake answers; `:id` stands for the id of an object. */
export const routes: Readonly<Record<string, Route>> = {
  'GET /v1/account': (state) => ({
    id: state.accountId,
    object: 'account',
    charges_enabled: true,
    details_submitted: true,
    payouts_enabled: true,
    email: null,
    type: 'standard',
    business_profile: { name: 'Test shop' },
  }),
  'GET /v1/customers/:id': one('cus'),
  'POST /v1/customers': (state, params) =>
    state.add('cus', {
      name: text(params.name),
      email: text(params.email),
      metadata: { ...record(params.metadata) },
    }),
  'POST /v1/customers/:id': (state, params, id) => {
    const customer = state.get('cus', id);
    if (customer.deleted) throw invalidRequest('The customer is deleted');
    const { metadata, ...rest } = params;
    return Object.assign(customer, rest, {
      metadata: { ...customer.metadata, ...record(metadata) },
    });
  },
  'GET /v1/payment_methods/:id': one('pm'),
  'POST /v1/payment_methods/:id/detach': (state, _params, id) => {
    const method = state.get('pm', id);
    if (!method.customer) throw invalidRequest('The payment method is not attached');
    method.customer = null;
    emit(state, 'payment_method.detached', method);
    return method;
  },
  'GET /v1/setup_intents/:id': one('seti'),
  'POST /v1/checkout/sessions': createSession,
  'GET /v1/checkout/sessions/:id': one('cs'),
  'POST /v1/checkout/sessions/:id/expire': (state, _params, id) =>
    expireSession(state, state.get('cs', id)),
  'POST /v1/payment_intents': createIntent,
  'GET /v1/payment_intents': filtered('pi', 'customer'),
  'GET /v1/payment_intents/:id': one('pi'),
  'POST /v1/payment_intents/:id/confirm': (state, params, id) =>
    confirmIntent(state, state.get('pi', id, 'intent'), params),
  'POST /v1/payment_intents/:id/cancel': (state, _params, id) =>
    cancelIntent(state, state.get('pi', id, 'intent')),
  'GET /v1/charges': filtered('ch', 'customer', 'payment_intent'),
  'GET /v1/charges/:id': one('ch'),
  'POST /v1/refunds': createRefund,
  'GET /v1/refunds': filtered('re', 'charge', 'payment_intent'),
  'GET /v1/refunds/:id': one('re'),
  'POST /v1/refunds/:id': one('re'),
  'GET /v1/disputes': filtered('du', 'charge', 'payment_intent'),
  'GET /v1/disputes/:id': one('du'),
  'GET /v1/events': filtered('evt', 'type'),
  'GET /v1/webhook_endpoints': filtered('we'),
  'POST /v1/webhook_endpoints': (state, params) =>
    state.add('we', {
      url: text(params.url),
      enabled_events: params.enabled_events,
      api_version: text(params.api_version),
      status: 'enabled',
      metadata: { ...record(params.metadata) },
      secret: `whsec_fake${crypto.randomUUID().replaceAll('-', '')}`,
    }),
  'DELETE /v1/webhook_endpoints/:id': (state, _params, id) => {
    const { id: found } = state.get('we', id);
    state.objects.delete(found);
    return { id: found, object: 'webhook_endpoint', deleted: true };
  },
};
