import { reserveResource } from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { createPricingModel } from '#domain/catalog/commands/pricing-models/create-pricing-model.ts';
import { createProductFeature } from '#domain/catalog/commands/product-features/create-product-feature.ts';
import { createTaxRate } from '#domain/catalog/commands/tax-rates/create-tax-rate.ts';
import { newId } from '#domain/kernel/ids.ts';
import { enterPricingModel, openSession, type Session } from '#domain/kernel/session.ts';
import { mailSettingsOf } from '#domain/mail/commands/mails/mail-settings-of.ts';
import { saveMailTemplate } from '#domain/mail/commands/mails/save-mail-template.ts';
import { createAlertRule } from '#domain/metering/commands/alert-rules/create-alert-rule.ts';
import { createAlert } from '#domain/metering/commands/alerts/create-alert.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Mail } from '#domain/model/mail/mail.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { LedgerTransaction } from '#domain/model/metering/ledger-transaction.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { BookDifference } from '#domain/model/money/book-difference.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { ProcessorDifference } from '#domain/model/money/processor-difference.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { Cause } from '#domain/model/platform/cause.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Event } from '#domain/model/platform/event.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { UsageRefusal } from '#domain/model/recording/usage-refusal.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { createCheckoutSession } from '#domain/money/commands/checkout-sessions/create-checkout-session.ts';
import { createPaymentMethodSetup } from '#domain/money/commands/payment-methods/create-payment-method-setup.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { expectPayment } from '#domain/money/commands/remittances/expect-payment.ts';
import { stripeApiVersion } from '#domain/money/processing/stripe/client.ts';
import { newCredential } from '#domain/platform/access/credential.ts';
import { issueApiKey } from '#domain/platform/access/issue-api-key.ts';
import { createApiKey } from '#domain/platform/commands/api-keys/create-api-key.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { inviteOperator } from '#domain/platform/commands/operators/invite-operator.ts';
import { sendTestEvent } from '#domain/platform/commands/webhook-deliveries/send-test-event.ts';
import { createWebhook } from '#domain/platform/commands/webhooks/create-webhook.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { acceptUsageEvent } from '#domain/recording/commands/usage-events/accept-usage-events.ts';
import { countAllAcceptedUsage } from '#domain/recording/inbox/count-accepted-usage.ts';
import { createPriceMove } from '#domain/subscriptions/commands/price-moves/create-price-move.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { aRedemption } from '../discounts.ts';
import {
  aCustomer,
  aOneTimeProduct,
  aPaymentMethod,
  aPriceOf,
  aProduct,
  aResource,
  aSubscription,
  aTestClock,
  aToggle,
  aUsageMeter,
} from '../factories.ts';
import { aPrepaidCredit, aPrepaidTopUp } from '../prepaid.ts';
import { aSubscriptionWithSeats } from '../seats.ts';
import { grant as grantCredits, use } from '../usage.ts';
import { aDispute } from './disputes.ts';
import { aCharge } from './one-off-charges.ts';
import { aPhase } from './phases.ts';
import { aPackage, aTopUp } from './top-ups.ts';

/** A template of mails. */
async function aMailTemplate(session: Session): Promise<string> {
  const mjml = '<mjml><mj-body></mj-body></mjml>';
  const input = { kind: 'alert', language: 'en', template: { subject: 'Alert', mjml } } as const;
  return (await saveMailTemplate(session, input)).id;
}

/** A tax rate of a country for goods of their own: two rates for the same goods would overlap. */
async function aTaxRate(session: Session): Promise<string> {
  const rate = { name: 'VAT', taxType: 'vat', ratePercentage: '19', country: 'DE' } as const;
  const taxRate = { ...rate, taxCode: newId('goods') };
  return (await createTaxRate(session, { taxRate })).id;
}

/** A move from a price to one of another product. */
async function anAlertRule(session: Session, usageMeterSlug: string): Promise<string> {
  const alertRule = { kind: 'usage', threshold: '900', usageMeterSlug } as const;
  return (await createAlertRule(session, { alertRule })).id;
}

async function aPriceMove(session: Session, fromPriceId: string): Promise<string> {
  const toPriceId = await aPriceOf(session, {});
  return (await createPriceMove(session, { priceMove: { fromPriceId, toPriceId } })).id;
}

/** One row of every kind, by the name of its type; the customer of most of them has a test clock where one is named. */
export async function oneOfEach(
  session: Session,
  testClockId?: string,
): Promise<Record<string, string>> {
  const fresh = () => {
    const { em, apiKeyId, ...scope } = session;
    return openSession(em, scope, apiKeyId);
  };
  const [feature, product] = [await aToggle(session), await aProduct(session)];
  const price = (await product.prices.loadItems())[0];
  const { webhook } = await createWebhook(fresh(), {
    webhook: { name: 'Hook', url: 'https://example.com', filterTypes: ['customer.created'] },
  });
  const grant = { productId: product.id, featureId: feature.id };
  const customer = await aCustomer(session, { testClockId });
  const paymentMethod = await aPaymentMethod(session, customer.id);
  const subscription = await aSubscription(session, { customerId: customer.id });
  const [item] = await subscription.items.loadItems();
  const sso = await addFeatureToSubscription(fresh(), {
    id: subscription.id,
    featureId: feature.id,
  });
  const [invoice] = await fresh().em.find(Invoice, { subscription: subscription.id });
  const [payment] = await fresh().em.find(Payment, { subscriptionId: subscription.id });
  await refundPayment(fresh(), { id: payment?.id ?? '', partialAmount: 1 });
  const [period] = await fresh().em.find(BillingPeriod, { subscription: subscription.id });
  const meter = await aUsageMeter(session);
  const user = { id: subscription.id, slug: meter.slug };
  const credit = await grantCredits(session, user, 10);
  const [event] = await use(session, user, 1);
  await sequenceEvents(fresh().em);
  const [change] = await fresh().em.find(Event, { objectId: customer.id, sequence: { $ne: null } });
  const [mail] = await fresh().em.find(Mail, { customerId: customer.id });
  const [billed] = (await period?.items.loadItems()) ?? [];
  const [posting] = await fresh().em.find(LedgerTransaction, { sourceId: event?.id ?? '' });
  const { subscriptionId, resourceSlug } = await aSubscriptionWithSeats(session);
  const seat = { subscriptionId, resourceSlug, quantity: 1 };
  const { claims } = await claimResource(fresh(), seat);
  const { reservation } = await reserveResource(fresh(), seat);
  const { discount, redemption } = await aRedemption(session, customer.id);
  const difference = await aDifference(fresh());
  const checkout = await createCheckoutSession(fresh(), {
    checkoutSession: {
      type: 'add_payment_method',
      customerExternalId: customer.externalId,
      successUrl: 'https://example.com/thanks',
      cancelUrl: 'https://example.com/shop',
    },
  });
  const { em } = fresh();
  const bookDifference = em.create(BookDifference, {
    customer: em.getReference(Customer, customer.id),
    currency: 'USD',
    difference: 1,
  });
  const consolidated = em.create(ConsolidatedInvoice, {
    customer: em.getReference(Customer, customer.id),
    invoiceNumber: newId('number'),
    invoiceDate: session.now,
    dueDate: session.now,
    scheduledFor: session.now,
    currency: 'USD',
    collectionMethod: 'charge_automatically',
  });
  await em.flush();
  const alert = await createAlert(fresh(), {
    alert: { kind: 'usage', threshold: '1', subscriptionId: user.id, usageMeterSlug: user.slug },
  });
  const [crossing] = await fresh().em.find(AlertCrossing, { alert: alert.id });
  const priceId = await aPackage(session, { slug: meter.slug, meterId: meter.id }, 100);
  const topUp = await aTopUp(session, user, { priceId, threshold: 1 });
  const charge = await aCharge(session, user.id);
  const prepaid = await aPrepaidCredit(session, customer.id, { amount: 1 });
  const prepaidTopUp = await aPrepaidTopUp(session, customer.id);
  return {
    TopUp: topUp.id,
    OneOffCharge: charge.id,
    PrepaidCredit: prepaid.id,
    PrepaidTopUp: prepaidTopUp.id,
    SubscriptionPhase: (await aPhase(session, user.id)).id,
    Alert: alert.id,
    AlertRule: await anAlertRule(fresh(), user.slug),
    AlertCrossing: crossing?.id ?? '',
    Organization: session.organizationId,
    BillingPeriod: period?.id ?? '',
    BillingPeriodItem: billed?.id ?? '',
    Event: change?.id ?? '',
    UsageMeterBalance: posting?.balanceId ?? '',
    BillingRun: (await fresh().em.find(BillingRun, { subscription: subscription.id }))[0]?.id ?? '',
    Invoice: invoice?.id ?? '',
    InvoiceLineItem: (await invoice?.lineItems.loadItems())?.[0]?.id ?? '',
    Payment: payment?.id ?? '',
    Discount: discount.id,
    DiscountRedemption: redemption.id,
    Dispute: (await aDispute(session, payment)).id,
    PaymentMethodSetup: (
      await createPaymentMethodSetup(fresh(), {
        paymentMethodSetup: {
          customerId: customer.id,
          returnUrl: 'https://example.com/done',
          cancelUrl: 'https://example.com/shop',
        },
      })
    ).id,
    CheckoutSession: checkout.id,
    Purchase: await aPurchase(session, customer.id),
    Remittance: (await expectPayment(fresh(), { customerId: customer.id, amount: 1 })).id,
    Refund: (await fresh().em.find(Refund, { payment: payment?.id ?? '' }))[0]?.id ?? '',
    BookDifference: bookDifference.id,
    ConsolidatedInvoice: consolidated.id,
    CreditNote: (await fresh().em.find(CreditNote, { invoice: invoice?.id ?? '' }))[0]?.id ?? '',
    Customer: customer.id,
    Cause: (await fresh().em.find(Cause, {}, { limit: 1 }))[0]?.id ?? '',
    CustomerToken: (await createCustomerToken(fresh(), { customer: customer.id })).customerToken.id,
    PaymentMethod: paymentMethod.id,
    Subscription: subscription.id,
    SubscriptionItem: item?.id ?? '',
    SubscriptionItemFeature: sso.id,
    TaxRate: await aTaxRate(fresh()),
    TestClock: (await aTestClock(session)).id,
    ApiKey: (await createApiKey(fresh(), { apiKey: { name: 'Key' } })).apiKey.id,
    Mail: mail?.id ?? '',
    MailSettings: (await mailSettingsOf(fresh())).id,
    MailTemplate: await aMailTemplate(fresh()),
    Operator: await anOperator(fresh()),
    OperatorInvitation: await anInvitation(fresh()),
    Feature: feature.id,
    Price: price?.id ?? '',
    PriceMove: await aPriceMove(fresh(), price?.id ?? ''),
    PricingModel: session.pricingModelId,
    ProcessorAccount: difference.account.id,
    ProcessorDifference: difference.id,
    Product: product.id,
    ProductFeature: (await createProductFeature(fresh(), { productFeature: grant })).id,
    Reservation: reservation.id,
    ResourceClaim: claims[0]?.id ?? '',
    Resource: (await aResource(session)).id,
    LedgerTransaction: posting?.id ?? '',
    UsageCredit: credit.id,
    UsageEvent: event?.id ?? '',
    UsageMeter: meter.id,
    UsageRefusal: await aRefusal(fresh()),
    Webhook: webhook.id,
    WebhookDelivery: (await sendTestEvent(fresh(), { id: webhook.id })).id,
  };
}

/** A refusal of accepted usage, whose meter is unknown. */
async function aRefusal(session: Session): Promise<string> {
  const transactionId = newId('unknown');
  const usageEvent = { customerExternalId: 'nobody', usageMeterSlug: 'none', amount: '1' };
  const { position } = await acceptUsageEvent(session, {
    usageEvent: { ...usageEvent, transactionId },
  });
  await countAllAcceptedUsage(session);
  const [refusal] = await session.em.fork().find(UsageRefusal, { acceptanceId: position });
  return refusal?.id ?? '';
}

async function anOperator({ em }: Session): Promise<string> {
  const operator = em.create(Operator, {
    email: `${newId('owner').toLowerCase()}@example.com`,
    name: 'Ada',
    role: 'owner',
  });
  await em.flush();
  return operator.id;
}

async function anInvitation(session: Session): Promise<string> {
  const email = `${newId('guest').toLowerCase()}@example.com`;
  return (await inviteOperator(session, { email, role: 'support' })).operatorInvitation.id;
}

/** A purchase of a product with a single payment, as a checkout writes it before it is paid. */
async function aPurchase(session: Session, customer: string): Promise<string> {
  const [price] = await (await aOneTimeProduct(session)).prices.loadItems();
  const { em, apiKeyId, ...scope } = session;
  const fresh = openSession(em, scope, apiKeyId);
  const purchase = fresh.em.create(Purchase, {
    name: 'Setup',
    customer: fresh.em.getReference(Customer, customer),
    price: fresh.em.getReference(Price, price?.id ?? ''),
    priceType: 'single_payment',
    quantity: 1,
    firstInvoiceValue: 5_000,
    totalPurchaseValue: 5_000,
  });
  await fresh.em.flush();
  return purchase.id;
}

/** A difference of a connected account, whose key is none. */
async function aDifference({ em, organizationId, livemode }: Session) {
  const id = newId('processor_account');
  const known = await em.findOne(ProcessorAccount, { organizationId, livemode });
  const account =
    known ??
    em.create(ProcessorAccount, {
      id,
      kind: 'stripe',
      accountReference: 'acct_fake0',
      apiVersion: stripeApiVersion,
      keyEnding: 'none',
      disconnectedAt: new Date(),
    });
  const difference = em.create(ProcessorDifference, {
    account,
    kind: 'not_recorded',
    reference: `ch_${id}`,
    message: 'A charge is not recorded',
  });
  await em.flush();
  return difference;
}

/** A key of the session's organization for live mode. */
export async function liveKey(session: Session) {
  const { em, apiKeyId: _, ...scope } = session;
  const live = openSession(em, { ...scope, livemode: true });
  const model = await createPricingModel(live, { pricingModel: { name: 'Live', isDefault: true } });
  const key = { name: 'Live', type: 'secret', pricingModelId: model.id, expiresAt: null } as const;
  return (
    await issueApiKey(
      enterPricingModel(live, model.id),
      newCredential('secret', true, live.organizationId),
      key,
    )
  ).token;
}

/** A key of the session's organization for another pricing model. */
export async function siblingKey(session: Session) {
  const { em, apiKeyId, ...scope } = session;
  const fresh = openSession(em, scope, apiKeyId);
  const model = await createPricingModel(fresh, { pricingModel: { name: 'Sibling' } });
  return (await createApiKey(fresh, { apiKey: { name: 'Sibling', pricingModelId: model.id } }))
    .token;
}
