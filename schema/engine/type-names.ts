import type { Session } from '#domain/kernel/session.ts';
import { mayRead } from './type-access.ts';

/** The type of each id prefix. */
const typeNames = new Map(
  Object.entries({
    alert: 'Alert',
    alert_crossing: 'AlertCrossing',
    alert_rule: 'AlertRule',
    apikey: 'ApiKey',
    billing_period: 'BillingPeriod',
    billing_period_item: 'BillingPeriodItem',
    billing_run: 'BillingRun',
    book_difference: 'BookDifference',
    cause: 'Cause',
    chckt_session: 'CheckoutSession',
    cons_inv: 'ConsolidatedInvoice',
    credit_note: 'CreditNote',
    cust: 'Customer',
    evt: 'Event',
    customer_token: 'CustomerToken',
    discount: 'Discount',
    discount_redemption: 'DiscountRedemption',
    dispute: 'Dispute',
    feature: 'Feature',
    inv: 'Invoice',
    inv_li: 'InvoiceLineItem',
    mail: 'Mail',
    mail_settings: 'MailSettings',
    mail_template: 'MailTemplate',
    operator: 'Operator',
    operator_invitation: 'OperatorInvitation',
    org: 'Organization',
    pm: 'PaymentMethod',
    pm_setup: 'PaymentMethodSetup',
    prepaid_credit: 'PrepaidCredit',
    prepaid_top_up: 'PrepaidTopUp',
    price_move: 'PriceMove',
    price: 'Price',
    pricing_model: 'PricingModel',
    processor_account: 'ProcessorAccount',
    processor_difference: 'ProcessorDifference',
    prod: 'Product',
    prch: 'Purchase',
    product_feature: 'ProductFeature',
    pym: 'Payment',
    refund: 'Refund',
    remittance: 'Remittance',
    res_claim: 'ResourceClaim',
    reservation: 'Reservation',
    resource: 'Resource',
    si: 'SubscriptionItem',
    sub: 'Subscription',
    sub_feature: 'SubscriptionItemFeature',
    tax_rate: 'TaxRate',
    phase: 'SubscriptionPhase',
    test_clock: 'TestClock',
    one_off: 'OneOffCharge',
    top_up: 'TopUp',
    la: 'UsageMeterBalance',
    ledger_transaction: 'LedgerTransaction',
    usage_credit: 'UsageCredit',
    usage_event: 'UsageEvent',
    usage_meter: 'UsageMeter',
    usage_refusal: 'UsageRefusal',
    webhook: 'Webhook',
    webhook_delivery: 'WebhookDelivery',
  }),
);

const prefixes = new Map([...typeNames].map(([prefix, type]) => [type, prefix]));

/** The prefix of the ids of a type. */
export function prefixOf(type: string) {
  const prefix = prefixes.get(type);
  if (prefix === undefined) throw new Error(`${type} has no prefix of ids`);
  return prefix;
}

/** The type of the object with this id; the empty text for an id of no kind. */
export const typeNameOf = (id: string) => typeNames.get(id.slice(0, id.lastIndexOf('_'))) ?? '';

/**
 * An id of any object that the credential may read; null for an id of no kind, and for one with a character that no text of
 * the database has.
 */
export function nodeId(id: string | null | undefined, { keyType }: Pick<Session, 'keyType'>) {
  if (!id || id.includes('\0')) return null;
  const type = typeNameOf(id);
  return type && mayRead(keyType, type) ? id : null;
}
