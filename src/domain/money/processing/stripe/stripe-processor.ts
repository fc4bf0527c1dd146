import type { PaymentProcessor } from '#domain/money/processing/port/payment-processor.ts';
import { cancel, charge, lookup } from './charges.ts';
import { stripeClient } from './client.ts';
import { detachMethod, hasCustomer, readMethod, saveCustomer } from './customers.ts';
import { readDispute } from './disputes.ts';
import { listCharges, listEvents } from './lists.ts';
import { closePage, openPayment, openSetup, readPayment, readSetup } from './pages.ts';
import { lookupRefund, readRefund, refund } from './refunds.ts';

/** Stripe, with the secret key of one account and mode. */
export function stripeProcessor(secretKey: string): PaymentProcessor {
  const stripe = stripeClient(secretKey);
  return {
    charge: (session, request) => charge(stripe, session, request),
    lookup: (_session, name) => lookup(stripe, name),
    cancel: (_session, name) => cancel(stripe, name),
    refund: (session, request) => refund(stripe, session, request),
    lookupRefund: (_session, request) => lookupRefund(stripe, request),
    saveCustomer: (_session, record) => saveCustomer(stripe, record),
    openSetup: (_session, request) => openSetup(stripe, request),
    readSetup: (_session, reference) => readSetup(stripe, reference),
    openPayment: (_session, request) => openPayment(stripe, request),
    readPayment: (_session, reference) => readPayment(stripe, reference),
    closePage: (_session, reference) => closePage(stripe, reference),
    readMethod: (_session, token) => readMethod(stripe, token),
    detachMethod: (_session, token) => detachMethod(stripe, token),
    readRefund: (_session, reference) => readRefund(stripe, reference),
    readDispute: (_session, reference) => readDispute(stripe, reference),
    hasCustomer: (_session, reference) => hasCustomer(stripe, reference),
    listEvents: (_session, range) => listEvents(stripe, range),
    listCharges: (_session, range) => listCharges(stripe, range),
  };
}
