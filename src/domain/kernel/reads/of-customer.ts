import { raw } from '@mikro-orm/core';
import type { Scope } from '#domain/kernel/session.ts';
import { isWithinCommand } from './as-command.ts';
import { publishedSql } from './published.ts';

type Conditions = Readonly<Record<string, (scope: Scope, customerId: string) => object>>;

const byColumn = (_scope: Scope, customerId: string) => ({ customerId });

/**
 * Rows of the customer, found through their parents. The column alone determines them; the parents of a customer are
 * few and indexed, so a list never reads the rows of others.
 */
const through =
  (column: string, parent: string): Conditions[string] =>
  (scope, customerId) =>
    // The column determines the rows; an update cannot have the other condition, which only leads to an index.
    isWithinCommand()
      ? { customerId }
      : {
          customerId,
          ...inSql(
            (row) => `${row}.${column} in (select id from ${parent} where customer_id = :customer)`,
            scope,
            customerId,
          ),
        };
const ofSubscription = through('subscription_id', 'subscription');
const byReference = (_scope: Scope, customerId: string) => ({ customer: customerId });
const nothing = () => ({ [raw('false')]: [] });

/** Prices that rows of the customer name: subscriptions, their items, phases, charges and top-ups, and invoices. */
const usedPrices = `select s.price_id from subscription s where s.customer_id = :customer
  union select i.price_id from subscription_item i join subscription s on s.id = i.subscription_id
    where s.customer_id = :customer
  union select l.price_id from invoice_line_item l join invoice v on v.id = l.invoice_id
    where v.customer_id = :customer
  union select c.price_id from one_off_charge c where c.customer_id = :customer
  union select t.price_id from top_up t where t.customer_id = :customer
  union select item->>'priceId' from subscription_phase f
    cross join jsonb_array_elements(f.items) item where f.customer_id = :customer`;

/** The catalog records that rows of the customer refer to, also where they are no longer on sale. */
const used: Readonly<Record<string, (row: string) => string>> = {
  Price: (row) => `${row}.id in (${usedPrices})`,
  Product: (row) => `${row}.id in (select product_id from price where id in (${usedPrices}))`,
  ProductFeature: (row) => `${row}.id in
    (select product_feature_id from subscription_item_feature where customer_id = :customer)`,
  Feature: (row) => `${row}.id in
    (select feature_id from subscription_item_feature where customer_id = :customer)`,
  UsageMeter: (row) => `${row}.id in
    (select usage_meter_id from usage_meter_balance where customer_id = :customer
      union select usage_meter_id from top_up where customer_id = :customer
      union select usage_meter_id from subscription_item_feature where customer_id = :customer)`,
  Resource: (row) => `${row}.id in
    (select resource_id from subscription_item_feature where customer_id = :customer)`,
};

/** Commands apply the grants of products as they are; prices and products stay those that the customer sees. */
const wholeInCommands = new Set(['ProductFeature', 'Feature', 'UsageMeter', 'Resource']);

/** The kinds of records whose events a customer sees. */
export const customerKinds: readonly string[] = [
  'Alert',
  'AlertCrossing',
  'BillingPeriod',
  'ConsolidatedInvoice',
  'CreditNote',
  'Customer',
  'Invoice',
  'InvoiceLineItem',
  'OneOffCharge',
  'Payment',
  'PaymentMethod',
  'PrepaidCredit',
  'PrepaidTopUp',
  'Purchase',
  'Refund',
  'Reservation',
  'ResourceClaim',
  'Subscription',
  'SubscriptionItem',
  'SubscriptionItemFeature',
  'SubscriptionPhase',
  'TopUp',
  'UsageCredit',
  'UsageEvent',
];

/** The events of the feed that a customer sees. */
export const customerEvents = (customerId: string) => ({
  customerId,
  objectType: { $in: [...customerKinds] },
});

const rows: Conditions = {
  Alert: byReference,
  AlertCrossing: byColumn,
  BillingPeriod: ofSubscription,
  BillingRun: ofSubscription,
  ConsolidatedInvoice: byReference,
  CreditNote: byReference,
  Customer: (_scope, customerId) => ({ id: customerId }),
  DiscountRedemption: byReference,
  Event: (_scope, customerId) => customerEvents(customerId),
  Invoice: byReference,
  InvoiceLineItem: through('invoice_id', 'invoice'),
  LedgerTransaction: (scope, customerId) =>
    inSql(
      (row) =>
        `${row}.balance_id in (select id from usage_meter_balance where customer_id = :customer)`,
      scope,
      customerId,
    ),
  OneOffCharge: byColumn,
  Payment: byColumn,
  PaymentMethod: byReference,
  PaymentMethodSetup: byReference,
  PrepaidCredit: byReference,
  PrepaidTopUp: byReference,
  Purchase: byReference,
  Refund: through('payment_id', 'payment'),
  Reservation: ofSubscription,
  ResourceClaim: ofSubscription,
  Subscription: byReference,
  SubscriptionItem: ofSubscription,
  SubscriptionItemFeature: byColumn,
  SubscriptionPhase: byColumn,
  // Commands and balances need the customer's present.
  TestClock: (scope, customerId) =>
    inSql(
      (row) => `${row}.id in (select test_clock_id from customer where id = :customer)`,
      scope,
      customerId,
    ),
  TopUp: byColumn,
  UsageCredit: through('balance_id', 'usage_meter_balance'),
  UsageEvent: ofSubscription,
  UsageMeterBalance: byColumn,
};

/** Rows that commands of a customer token read, and that the token itself does not see. */
const rowsInCommands: Conditions = {
  AlertRule: () => ({}),
  CheckoutSession: byReference,
  Dispute: byColumn,
  TaxRate: () => ({}),
};

/**
 * The kinds that no command of a customer token reads: a token cannot cause a read of them. That includes its own
 * changes, and the work that is due before or after them.
 */
const ofOrganizationAlone: ReadonlySet<string> = new Set([
  'ApiKey',
  'BookDifference',
  'Cause',
  'CustomerToken',
  'Discount',
  'Mail',
  'PriceMove',
  'ProcessorDifference',
  'Remittance',
  'UsageRefusal',
  'Webhook',
  'WebhookDelivery',
]);

/**
 * The condition on the records of a kind that a customer token sees: rows of its customer, and the catalog that is on
 * sale or that those rows refer to. Each kind needs a rule: without one this throws, since a command that finds nothing
 * would silently do something else.
 */
export function ofCustomer(scope: Scope, customerId: string, entityName: string): object {
  const catalog = publishedSql[entityName];
  if (!catalog) return conditionOf(entityName)(scope, customerId);
  if (wholeInCommands.has(entityName) && isWithinCommand()) return {};
  const refers = used[entityName];
  const either = (row: string) =>
    refers ? `(${catalog(row)} or ${refers(row)})` : `(${catalog(row)})`;
  return inSql(either, scope, customerId);
}

function conditionOf(entityName: string) {
  const own = rows[entityName] ?? (isWithinCommand() ? rowsInCommands[entityName] : undefined);
  if (own) return own;
  if (entityName in rowsInCommands || ofOrganizationAlone.has(entityName)) return nothing;
  throw new Error(`${entityName} has no rule for customer tokens`);
}

/** SQL as a condition: `?` is the instant, `:customer` the customer. */
function inSql(condition: (row: string) => string, { now }: Scope, customerId: string): object {
  const values = [...condition('').matchAll(/\?|:customer/g)].map(([mark]) =>
    mark === '?' ? now : customerId,
  );
  return {
    [raw((alias) => condition(`"${alias}"`).replaceAll(':customer', '?'), values)]: [],
  };
}
