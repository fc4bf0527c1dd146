import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Config } from '#config';
import { useStripe } from '#domain/money/processing/stripe/client.ts';

const options = { keepAlive: true, timeout: 30_000 };

/** Sets how this process reaches Stripe. Connections are shared by all keys and stay open between requests. */
export function reachStripe({ stripeApiBase }: Pick<Config, 'stripeApiBase'>) {
  const isPlain = stripeApiBase?.startsWith('http:') ?? false;
  const agent = isPlain ? new HttpAgent(options) : new HttpsAgent(options);
  useStripe({ apiBase: stripeApiBase, agent });
}
