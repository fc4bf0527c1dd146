import './api-keys.ts';
import './connection.ts';
import './cron-runs.ts';
import './events.ts';
import './features.ts';
import './prices.ts';
import './pricing-models.ts';
import './product-features.ts';
import './products.ts';
import './resources.ts';
import './scalars.ts';
import './usage-meters.ts';
import './webhook-deliveries.ts';
import './webhooks.ts';
import { assertValidSchema } from 'graphql';
import { builder } from './builder.ts';
import { describeRanges } from './ranges.ts';

/** The whole graph. */
export const schema = describeRanges(builder.toSchema());
assertValidSchema(schema);
