import { apiKeys } from './api-keys.ts';
import { catalogs } from './catalogs.ts';
import { cronRuns } from './cron-runs.ts';
import { events } from './events.ts';
import { features } from './features.ts';
import { prices } from './prices.ts';
import { pricingModels } from './pricing-models.ts';
import { productFeatures } from './product-features.ts';
import { products } from './products.ts';
import { resources } from './resources.ts';
import type { Route } from './route.ts';
import { usageMeters } from './usage-meters.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhooks } from './webhooks.ts';

/** Every documented endpoint. */
export const routes: readonly Route[] = [
  ...apiKeys,
  ...catalogs,
  ...cronRuns,
  ...events,
  ...features,
  ...prices,
  ...pricingModels,
  ...productFeatures,
  ...products,
  ...resources,
  ...usageMeters,
  ...webhookDeliveries,
  ...webhooks,
];
