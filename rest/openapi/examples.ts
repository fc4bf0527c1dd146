import { catalogDocument } from './catalog-example.ts';
import { catalogExamples } from './catalog-examples.ts';

/**
 * An example body for each POST and PUT that takes one, in an order in which all succeed on a new
 * service. An id such as `prod_last` represents the last product: the page at `/docs` inserts it.
 */
export const examples: Readonly<Record<string, object>> = {
  ...catalogExamples,
  createCustomer: {
    customer: { name: 'Ada Lovelace', email: 'ada@example.com', externalId: 'ada' },
  },
  updateCustomer: { customer: { email: 'ada.lovelace@example.com' } },
  createPaymentMethod: {
    paymentMethod: { customerId: 'cust_last', type: 'card', token: 'sandbox_success' },
  },
  createCheckoutSession: {
    checkoutSession: {
      type: 'add_payment_method',
      customerExternalId: 'ada',
      successUrl: 'https://example.com/thanks',
      cancelUrl: 'https://example.com/account',
    },
  },
  createSubscriptionItemFeature: {
    subscriptionItemFeature: {
      subscriptionItemId: 'si_last',
      featureId: 'feature_last',
      type: 'resource',
      resourceId: 'resource_last',
      amount: 5,
    },
  },
  createSubscription: { customerExternalId: 'ada', priceSlug: 'pro-monthly', quantity: 2 },
  createPriceMove: { priceMove: { fromPriceId: 'price_last', toPriceSlug: 'pro-monthly' } },
  previewPriceMove: { priceMove: { fromPriceId: 'price_last', toPriceSlug: 'pro-monthly' } },
  updateSubscriptionItem: { subscriptionItem: { quantity: 3 }, timing: 'immediately' },
  addFeatureToSubscription: { featureSlug: 'five-seats' },
  previewSubscriptionAdjustment: {
    adjustment: {
      timing: 'auto',
      newSubscriptionItems: [{ priceSlug: 'pro-monthly', quantity: 3 }],
    },
  },
  adjustSubscription: {
    adjustment: {
      timing: 'at_end_of_current_billing_period',
      newSubscriptionItems: [{ priceSlug: 'pro-monthly', quantity: 1 }],
    },
  },
  recordUsageEvent: {
    usageEvent: {
      customerExternalId: 'ada',
      usageMeterSlug: 'api-calls',
      transactionId: 'call-1',
      amount: 10,
    },
  },
  recordUsageEvents: {
    usageEvents: [
      {
        customerExternalId: 'ada',
        usageMeterSlug: 'api-calls',
        transactionId: 'call-2',
        amount: 20,
      },
      {
        customerExternalId: 'ada',
        usageMeterSlug: 'api-calls',
        transactionId: 'call-3',
        amount: 0.5,
      },
    ],
  },
  replaceUsageEvent: {
    usageEvent: { transactionId: 'call-3-corrected', amount: 5 },
    reason: 'The amount was wrong',
  },
  voidUsageEvent: { reason: 'The call failed' },
  grantUsageCredits: {
    usageCredit: {
      subscriptionId: 'sub_last',
      usageMeterSlug: 'api-calls',
      amount: 100,
      reason: 'A gift',
    },
  },
  claimResource: { resourceSlug: 'seats', externalIds: ['ada', 'grace'] },
  releaseResource: { resourceSlug: 'seats', externalId: 'grace' },
  reserveResource: {
    subscriptionId: 'sub_last',
    resourceSlug: 'seats',
    quantity: 1,
    ttlSeconds: 600,
  },
  confirmReservation: {},
  updateSubscriptionItemFeature: { subscriptionItemFeature: { amount: 7 } },
  expireSubscriptionItemFeature: { expiredAt: '2099-12-31T00:00:00Z' },
  updateSubscription: { subscription: { metadata: { team: 'core' } } },
  pauseSubscription: { pause: { timing: 'at_end_of_current_billing_period' } },
  setCommitment: {
    commitment: { amount: 1_200_000, interval: 'year', trueUp: 'each_period' },
  },
  applyDiscount: { discountCode: 'WELCOME20' },
  endCommitment: { timing: 'at_end_of_current_billing_period' },
  previewSubscriptionCancellation: {
    cancellation: { timing: 'immediately', credit: 'balance' },
  },
  cancelSubscription: { cancellation: { timing: 'at_end_of_current_billing_period' } },
  createInvoice: {
    invoice: { customerId: 'cust_last', memo: 'As agreed by phone' },
    invoiceLineItems: [{ description: 'Set-up', quantity: 1, price: 5000 }],
  },
  updateInvoice: { invoice: { memo: 'Thank you' } },
  payInvoice: {},
  createCreditNote: {
    creditNote: {
      invoiceId: 'inv_last',
      amount: 500,
      settle: 'refund',
      reason: 'requested_by_customer',
    },
  },
  refundPayment: { partialAmount: 500 },
  recordInvoicePayment: {
    amount: 2000,
    method: 'bank_transfer',
    reference: 'Transfer 4711',
    receivedAt: '2026-01-31T10:00:00Z',
  },
  recordPayment: { customerId: 'cust_last', amount: 1000, method: 'check', reference: 'Check 12' },
  reversePayment: { reason: 'The check bounced' },
  expectPayment: { customerId: 'cust_last', amount: 1000, reference: 'Transfer 4712' },
  cancelExpectedPayment: { reason: 'The customer pays by card' },
  receivePayment: { receivedAt: '2026-01-31T10:00:00Z' },
  payInvoices: { ids: ['inv_last'] },
  createTestClock: { testClock: { name: 'Rehearsal', frozenTime: '2026-01-31T10:00:00Z' } },
  advanceTestClock: { frozenTime: '2026-02-28T10:00:00Z' },
  createAlert: {
    alert: {
      kind: 'usage',
      threshold: 1000,
      subscriptionId: 'sub_last',
      usageMeterSlug: 'api-calls',
    },
  },
  createAlertRule: {
    alertRule: { kind: 'spend', threshold: 50000, percentages: [80], name: 'Monthly spend' },
  },
  updateAlertRule: { alertRule: { threshold: 100000 } },
  updateAlert: { alert: { threshold: 2000, hardLimit: true } },
  createSubscriptionPhase: {
    subscriptionPhase: {
      subscriptionId: 'sub_last',
      startsAt: '2100-01-01T00:00:00Z',
      items: [{ priceSlug: 'pro-monthly', quantity: 20 }],
    },
  },
  updateSubscriptionPhase: { subscriptionPhase: { startsAt: '2100-02-01T00:00:00Z' } },
  createOneOffCharge: {
    oneOffCharge: {
      subscriptionId: 'sub_last',
      name: 'Migration of data',
      quantity: 2.5,
      unitPrice: 12000,
    },
  },
  updateOneOffCharge: { oneOffCharge: { quantity: 3 } },
  createPrepaidCredit: {
    prepaidCredit: {
      customerId: 'cust_last',
      source: 'gift',
      amount: 5000,
      validDays: 365,
      reason: 'Welcome',
    },
  },
  buyPrepaidCredit: { prepaidCredit: { customerId: 'cust_last', amount: 5000 } },
  createPrepaidTopUp: {
    prepaidTopUp: { customerId: 'cust_last', threshold: 1000, amount: 5000, mostPerMonth: 20000 },
  },
  updatePrepaidTopUp: { prepaidTopUp: { threshold: 500, active: false } },
  createTopUp: {
    topUp: {
      subscriptionId: 'sub_last',
      usageMeterSlug: 'api-calls',
      priceSlug: 'package-once',
      threshold: 20,
      mostPerMonth: 3,
    },
  },
  updateTopUp: { topUp: { mostPerMonth: 5 } },
  createPurchase: { purchase: { customerId: 'cust_last', priceSlug: 'package-once' } },
  createWebhook: {
    webhook: {
      name: 'Orders',
      url: 'https://example.com/webhooks',
      filterTypes: ['customer.created', 'payment.failed'],
    },
  },
  updateWebhook: { webhook: { filterTypes: ['payment.failed', 'payment.succeeded'] } },
  rotateWebhookSecret: { overlapSeconds: 3600 },
  replayWebhook: { after: 0 },
  updateMailSettings: {
    mailSettings: {
      kinds: ['invoice', 'receipt', 'payment_failed'],
      replyTo: 'billing@example.com',
    },
  },
  saveMailTemplate: {
    template: {
      subject: 'Receipt {{invoice.number}}',
      mjml: '<mjml><mj-body><mj-section><mj-column><mj-text>Thank you, {{customer.name}}.</mj-text></mj-column></mj-section></mj-body></mjml>',
    },
  },
  previewMail: { kind: 'receipt', language: 'de' },
  createPricingModel: {
    pricingModel: { name: 'Resellers' },
    defaultPlanIntervalUnit: 'month',
  },
  updatePricingModel: { pricingModel: { name: 'Resale partners' } },
  clonePricingModel: { name: 'Copy for partners' },
  setUpPricingModel: catalogDocument,
  createCatalog: { catalog: { name: 'Partners' } },
};
