import { ApiKey } from './api-keys/api-key.ts';
import { CronRun } from './cron-runs/cron-run.ts';
import { Event } from './events/event.ts';
import { EventHead } from './events/event-head.ts';
import { Feature } from './features/feature.ts';
import { IdempotencyKey } from './idempotency/idempotency-key.ts';
import { Organization } from './organizations/organization.ts';
import { Price } from './prices/price.ts';
import { PricingModel } from './pricing-models/pricing-model.ts';
import { ProductFeature } from './product-features/product-feature.ts';
import { Product } from './products/product.ts';
import { Resource } from './resources/resource.ts';
import { RowCount } from './row-count.ts';
import { UsageMeter } from './usage-meters/usage-meter.ts';
import { WebhookDelivery } from './webhook-deliveries/webhook-delivery.ts';
import { Webhook } from './webhooks/webhook.ts';

/** Rows of one pricing model. The tenant filter covers them, and row_count counts them. */
export const tenantEntities = [
  ApiKey,
  Feature,
  Price,
  Product,
  ProductFeature,
  Resource,
  UsageMeter,
  Webhook,
];

/** Pricing models belong to an organization and a mode; the tenant filter narrows them to those. */
export const scopedEntities = [...tenantEntities, Event, PricingModel, WebhookDelivery];

export const entities = [
  ...scopedEntities,
  CronRun,
  EventHead,
  IdempotencyKey,
  Organization,
  RowCount,
];
