import { Discount } from '#domain/model/catalog/discount.ts';
import { Feature } from '#domain/model/catalog/feature.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { TaxRate } from '#domain/model/catalog/tax-rate.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import { MailSettings } from '#domain/model/mail/mail-settings.ts';
import { MailTemplate } from '#domain/model/mail/mail-template.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';
import { TopUp } from '#domain/model/money/top-up.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import { builder } from '../engine/builder.ts';

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
