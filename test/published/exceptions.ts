import { readFileSync } from 'node:fs';
import type { JsonSchema } from '#rest/openapi/schemas.ts';

/** A difference between the published interface and the answers of this service, with its reason. */
export interface Exception {
  /** Published schemas, operations such as `GET /api/v1/invoices`, or parts of them: `Product/properties/name`. */
  readonly of: readonly string[];
  readonly reason: string;
  /** Required fields that the answers lack. */
  readonly lacks?: readonly string[];
  /** Fields that the answers have in addition. */
  readonly adds?: readonly string[];
  /** Fields that the answers have in addition with `Prefer: include=all` only. */
  readonly extra?: readonly string[];
  /** Fields with another schema. */
  readonly differs?: Readonly<Record<string, JsonSchema>>;
  /** Another schema in place of the published one. */
  readonly instead?: JsonSchema;
  /** A status of the answers that is not published for these operations; `*` is every operation. */
  readonly status?: number;
  /** The answer is the published one with `Prefer: rendering=current` only. */
  readonly older?: true;
}

const number = { type: 'number' };
const anyText = { type: 'string' };
const experimental = 'properties/experimental/properties/usageMeterBalances/items';

const exported = 'GET /api/v1/pricing-models/{id}/export/properties/pricingModel/properties';

const guide = readFileSync(new URL('../../rest/guides/compatibility.md', import.meta.url), 'utf8');

/** The extra keys of a record, as the guide lists them. */
function extraKeysOf(record: string): string[] {
  const table = guide.slice(guide.indexOf('## Extra keys'));
  const row = table.split('\n').find((line) => line.startsWith(`| ${record} |`)) ?? '';
  return [...row.matchAll(/`(\w+)`/g)].map(([, key = '']) => key);
}

/** Every exception. A test fails when one is no longer necessary: remove it then. */
export const exceptions: readonly Exception[] = [
  {
    of: ['CustomerClientSelectSchema'],
    extra: extraKeysOf('customer'),
    reason: 'A customer can have a test clock, tax ids and notes.',
  },
  {
    of: [
      'ProductClientSelectSchema',
      'ProductWithPricesRecord',
      `${exported}/products/items/properties/product`,
    ],
    extra: ['addOn'],
    reason: 'A product can add to a plan.',
  },
  {
    of: [
      'SubscriptionPriceClientSelectSchema',
      'SinglePaymentPriceClientSelectSchema',
      'UsagePriceClientSelectSchema',
      `${exported}/products/items/properties/price/oneOf/0`,
      `${exported}/usageMeters/items/properties/prices/items`,
    ],
    extra: [
      ...['model', 'tiers', 'packageSize', 'percentage', 'fixedFee', 'freeUnits', 'minimumAmount'],
      ...['maximumAmount', 'matrix'],
    ],
    reason: 'A price has a model, such as tiers.',
  },
  {
    of: [
      'ToggleFeatureClientSelectSchema',
      'ResourceFeatureClientSelectSchema',
      'UsageCreditGrantFeatureClientSelectSchema',
    ],
    extra: ['per', 'rollover'],
    reason: 'Unused credits of a feature can roll over.',
  },
  {
    of: ['UsageInvoiceLineItemClientSelectSchema', 'StaticInvoiceLineItemClientSelectSchema'],
    extra: ['priceParts'],
    reason: 'A line of a price with a model states the steps of its amount.',
  },
  {
    of: ['UsageInvoiceLineItemClientSelectSchema'],
    differs: { quantity: number },
    reason: 'Usage has decimals in the specification.',
  },
  {
    of: ['StaticInvoiceLineItemClientSelectSchema'],
    differs: { quantity: number },
    reason: 'The specification has numbers with decimals.',
  },
  {
    of: ['UsageEventClientSelectSchema'],
    differs: { amount: number },
    reason: 'The specification has numbers with decimals.',
  },
  {
    of: [
      'UsageMeterClientSelectSchema',
      'UsageMeterWithPricesRecord',
      `StandardSubscriptionDetails/${experimental}`,
      'GET /api/v1/customers/{externalId}/usage-balances/properties/usageMeterBalances/items',
    ],
    differs: { aggregationType: anyText },
    reason: 'Meters also count events and take their largest or last amount.',
  },
  {
    of: ['PaymentClientSelectSchema'],
    differs: { paymentMethod: anyText },
    reason: 'Payments by hand have types of their own.',
  },
  {
    of: ['PaymentClientSelectSchema'],
    extra: ['chargeAmount', 'chargedWithId'],
    reason: 'One charge may pay several invoices.',
  },
  {
    of: [
      'PurchaseInvoiceClientSelectSchema',
      'StandaloneInvoiceClientSelectSchema',
      'SubscriptionInvoiceClientSelectSchema',
    ],
    extra: ['prepaidApplied'],
    reason: 'Prepaid credit pays invoices.',
  },
  {
    of: [
      'GET /api/v1/webhooks/{id}/properties/webhook',
      'POST /api/v1/webhooks/properties/webhook',
      'PUT /api/v1/webhooks/{id}/properties/webhook',
    ],
    differs: { filterTypes: { type: 'array', items: anyText } },
    reason: 'Every change has an event, so there are more types.',
  },
  {
    of: [
      'ProductCheckoutSessionClientSelectSchema',
      'PurchaseCheckoutSessionClientSelectSchema',
      'AddPaymentMethodCheckoutSessionClientSelectSchema',
      'ActivateSubscriptionCheckoutSessionClientSelectSchema',
    ],
    extra: ['allowDiscountCodes'],
    reason: 'A checkout can refuse codes of discounts.',
  },
  {
    of: ['AdjustSubscriptionOutput'],
    extra: ['billingRunId'],
    reason: 'A run that takes longer than the request is named, so that the caller can follow it.',
  },
  {
    of: ['PreviewAdjustSubscriptionOutput'],
    extra: [
      'amountDue',
      'creditAmount',
      'newInterval',
      'newIntervalCount',
      'newIntervalStart',
      'scheduledAdjustment',
    ],
    reason: 'A preview states the whole charge, and a change of the interval.',
  },
  {
    of: ['SecretApiKeyClientSelectSchema', 'ApiKeysClientSelectSchema/oneOf/1'],
    lacks: ['stackAuthHostedBillingUserId'],
    adds: ['idpHostedBillingUserId'],
    reason: 'The specification has this name.',
  },
  {
    of: [
      'DefaultDiscountClientSelectSchema',
      'ForeverDiscountClientSelectSchema',
      'NumberOfPaymentsDiscountClientSelectSchema',
    ],
    extra: [
      'currency',
      'numberOfMonths',
      'redemptionLimit',
      'redemptionLimitPerCustomer',
      'expiresAt',
    ],
    differs: { amount: number, code: anyText },
    reason:
      'A fixed discount has a currency, a percentage may have places, and a discount may have months, limits, an end and a longer code.',
  },
  {
    of: ['ForeverDiscountClientSelectSchema'],
    differs: { duration: anyText },
    reason: 'The time of a discount can be counted in months.',
  },
  {
    of: [
      'DefaultDiscountClientSelectSchema',
      'ForeverDiscountClientSelectSchema',
      'NumberOfPaymentsDiscountClientSelectSchema',
    ],
    adds: ['redemptionCount'],
    reason: 'Reads of discounts have the number of uses; writes have it with the preference only.',
  },
  {
    of: [
      'GET /api/v1/discounts/properties/data/items',
      'GET /api/v1/discounts/{id}/properties/discount',
    ],
    instead: { $ref: '#/components/schemas/DiscountRecord' },
    reason:
      'No answer fits the published schema, whose two parts exclude the fields of each other.',
  },
  {
    of: ['Metadata'],
    instead: { type: 'object' },
    reason: 'The specification has an object without further conditions.',
  },
  {
    of: ['CurrencyCode'],
    instead: anyText,
    reason: 'All currencies of ISO 4217 are taken, those with three decimals too.',
  },
  {
    of: ['POST /api/v1/usage-events', 'POST /api/v1/usage-events/bulk'],
    status: 202,
    reason: 'A caller can ask for an answer before the usage is counted.',
  },
  { of: ['*'], status: 421, reason: 'An organization may have moved to another installation.' },
  { of: ['*'], status: 429, reason: 'A caller above its limit learns when to repeat the call.' },
  { of: ['*'], status: 503, reason: 'A busy service refuses work that it has not begun.' },
  {
    of: [
      'POST /api/v1/customers/{externalId}/archive',
      'POST /api/v1/payments/{id}/refund',
      'POST /api/v1/pricing-models/{id}/clone',
      'POST /api/v1/product-features/{id}/expire',
      'POST /api/v1/resource-claims/{subscriptionId}/claim',
      'POST /api/v1/resource-claims/{subscriptionId}/release',
      'POST /api/v1/subscription-item-features/{id}/expire',
      'POST /api/v1/subscriptions/{id}/add-feature',
      'POST /api/v1/subscriptions/{id}/adjust',
      'POST /api/v1/subscriptions/{id}/cancel',
      'POST /api/v1/subscriptions/{id}/cancel-scheduled-adjustment',
      'POST /api/v1/subscriptions/{id}/preview-adjust',
      'POST /api/v1/subscriptions/{id}/uncancel',
    ],
    status: 404,
    reason: 'An unknown id in a path is a 404 with every method.',
  },
  {
    of: [
      'GET /api/v1/payment-methods',
      'GET /api/v1/usage-events/{id}',
      'POST /api/v1/subscriptions/{id}/cancel',
    ],
    older: true,
    reason: 'The specification has an older rendering, which is the default.',
  },
];
