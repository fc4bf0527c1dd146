import { AlertRule } from '#domain/alert-rules/alert-rule.ts';
import { Alert } from '#domain/alerts/alert.ts';
import { ApiKey } from '#domain/api-keys/api-key.ts';
import { Customer } from '#domain/customers/customer.ts';
import { Discount } from '#domain/discounts/discount.ts';
import { Feature } from '#domain/features/feature.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { MailSettings } from '#domain/mails/mail-settings.ts';
import { MailTemplate } from '#domain/mails/mail-template.ts';
import { OneOffCharge } from '#domain/one-off-charges/one-off-charge.ts';
import { Operator } from '#domain/operators/operator.ts';
import { OrganizationSettings } from '#domain/organizations/organization-settings.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { PrepaidTopUp } from '#domain/prepaid-top-ups/prepaid-top-up.ts';
import { Price } from '#domain/prices/price.ts';
import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import { Product } from '#domain/products/product.ts';
import { Resource } from '#domain/resources/resource.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { SubscriptionPhase } from '#domain/subscription-phases/subscription-phase.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { TaxRate } from '#domain/tax-rates/tax-rate.ts';
import { TopUp } from '#domain/top-ups/top-up.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { Webhook } from '#domain/webhooks/webhook.ts';
import { builder } from './engine/builder.ts';

/** The records that callers update. */
const updated = [
  Alert,
  AlertRule,
  ApiKey,
  Customer,
  Discount,
  Feature,
  Invoice,
  MailSettings,
  MailTemplate,
  Operator,
  OrganizationSettings,
  OneOffCharge,
  PaymentMethod,
  Price,
  PricingModel,
  Product,
  Resource,
  Subscription,
  SubscriptionItem,
  SubscriptionItemFeature,
  SubscriptionPhase,
  TaxRate,
  PrepaidTopUp,
  TopUp,
  UsageMeter,
  Webhook,
] as const;

for (const entity of updated) {
  builder.objectField(entity as typeof Customer, 'version', (t) =>
    t.exposeInt('version', {
      description:
        'Counts the changes of the object, from 1. Updates take it as `expectedVersion`.',
    }),
  );
}
