import type Stripe from 'stripe';
import type { ProcessorNotice } from '#domain/money/processing/port/processor-objects.ts';
import { idOf } from './find.ts';

/** The events that the endpoint at Stripe receives. */
export const subscribedEvents = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.canceled',
  'payment_intent.requires_action',
  'charge.updated',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'payment_method.attached',
  'payment_method.detached',
  'payment_method.updated',
  'payment_method.automatically_updated',
  'mandate.updated',
  'customer.deleted',
  'radar.early_fraud_warning.created',
] as const satisfies readonly Stripe.WebhookEndpointCreateParams.EnabledEvent[];

const subscribed: ReadonlySet<string> = new Set(subscribedEvents);

/** The fields of an event that are used. */
export type StripeEvent = Pick<Stripe.Event, 'id' | 'type' | 'created' | 'livemode'> & {
  readonly account?: string | undefined;
  readonly data: { readonly object: unknown };
};

interface Named {
  readonly id?: string;
  readonly object?: string;
  readonly mode?: string;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly payment_intent?: string | { readonly id: string } | null;
}

/** An event as a notice: which object is to be read, and nothing of its state. */
export function noticeOf({ id, type, created, livemode, data }: StripeEvent): ProcessorNotice {
  const named = data.object as Named;
  return {
    id,
    type,
    createdAt: new Date(created * 1_000),
    ...objectOf(type, named),
    paymentId: named.metadata?.payment_id ?? null,
    livemode,
  };
}

function objectOf(type: string, named: Named): Pick<ProcessorNotice, 'object' | 'reference'> {
  const reference = named.id ?? '';
  if (!subscribed.has(type)) return { object: 'other', reference };
  switch (named.object) {
    case 'payment_intent':
      return { object: isOurs(named) ? 'charge' : 'other', reference };
    case 'charge':
    case 'radar.early_fraud_warning': {
      // Charges are found by their intent.
      const intent =
        named.object === 'charge' && !isOurs(named) ? null : idOf(named.payment_intent);
      return intent ? { object: 'charge', reference: intent } : { object: 'other', reference };
    }
    case 'refund':
      return { object: 'refund', reference };
    case 'dispute':
      return { object: 'dispute', reference };
    case 'checkout.session':
      return { object: named.mode === 'setup' ? 'setup' : 'payment_page', reference };
    case 'payment_method':
      return { object: 'method', reference };
    case 'customer':
      return { object: type === 'customer.deleted' ? 'customer' : 'other', reference };
    default:
      return { object: 'other', reference };
  }
}

/** Every charge of this service has the id of its payment; those of other systems are not needed. */
const isOurs = ({ metadata }: Named) => metadata?.payment_id !== undefined;
