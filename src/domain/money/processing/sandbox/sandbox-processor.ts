import type { PaymentProcessor } from '#domain/money/processing/port/payment-processor.ts';
import { cancel, charge, lookup } from './sandbox-charges.ts';
import { readDispute } from './sandbox-disputes.ts';
import { listCharges, listEvents } from './sandbox-lists.ts';
import { closePage, methodOf, openPage, readPayment, readSetup } from './sandbox-pages.ts';
import { lookupRefund, readRefund, refund } from './sandbox-refunds.ts';
import { isSandboxToken } from './sandbox-tokens.ts';

/**
 * A payment processor that moves no money: the token of the payment method decides the outcome. It keeps its own
 * records, each committed separately, as a real one would.
 */
export const sandboxProcessor: PaymentProcessor = {
  charge,
  lookup,
  cancel,
  refund,
  lookupRefund,
  readRefund,
  readDispute,
  readSetup,
  readPayment,
  closePage,
  listEvents,
  listCharges,
  openSetup: openPage,
  openPayment: openPage,
  saveCustomer: async (_session, { customerId }) => `sandbox_cus_${customerId}`,
  hasCustomer: async () => true,
  readMethod: async (_session, token) => (isSandboxToken(token) ? methodOf(token) : null),
  detachMethod: async () => {},
};
