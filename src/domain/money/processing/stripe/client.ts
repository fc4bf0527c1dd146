import { LRUCache } from 'lru-cache';
import type Stripe from 'stripe';
import { lazyPackage } from '#lazy-package';
import { Pace, rateOf } from './pace.ts';

/** Stripe's own package. */
export const stripePackage = lazyPackage<typeof Stripe>('stripe');

/** The version of Stripe’s interface that the adapter is written for; the package has its types. */
export const stripeApiVersion = '2026-10-28.endive';

/** How this process reaches Stripe. */
export interface StripeSettings {
  /** The address of the interface; Stripe’s own when absent. */
  readonly apiBase?: string | undefined;
  /** Keeps the connections to it open between requests; the package's own when absent. */
  readonly agent?: Stripe.HttpAgent;
  readonly timeoutMilliseconds?: number;
  readonly maxNetworkRetries?: number;
  /** The requests a second of an account; when absent, fewer than Stripe allows, and any number at another address. */
  readonly requestsPerSecond?: number;
}

const usualTimeoutMilliseconds = 30_000;
const usualRetries = 1;
const mostClients = 500;

/**
 * Settings of the process, which are the same for every organization: sockets are shared by all keys. Adapters are made
 * per request from a stored key, so they are no place for them. The clients are a cache of what a key and the settings
 * determine.
 */
let settings: StripeSettings = {};
const clients = new LRUCache<string, Stripe>({ max: mostClients });

/** Sets how this process reaches Stripe, once, before the first request. */
export function useStripe(given: StripeSettings) {
  settings = given;
  clients.clear();
}

/** The client of a secret key. Each key has one, and no request is repeated under another key. */
export function stripeClient(secretKey: string): Stripe {
  const known = clients.get(secretKey);
  if (known) return known;
  const { protocol, hostname, port } = new URL(settings.apiBase ?? 'https://api.stripe.com');
  const scheme = protocol === 'http:' ? 'http' : 'https';
  const usual = settings.apiBase ? Number.POSITIVE_INFINITY : rateOf(secretKey);
  const pace = new Pace(settings.requestsPerSecond ?? usual);
  const client = new (stripePackage())(secretKey, {
    apiVersion: stripeApiVersion,
    host: hostname,
    port: port || (scheme === 'http' ? 80 : 443),
    protocol: scheme,
    httpClient: paced(stripePackage().createNodeHttpClient(settings.agent), pace),
    timeout: settings.timeoutMilliseconds ?? usualTimeoutMilliseconds,
    maxNetworkRetries: settings.maxNetworkRetries ?? usualRetries,
    telemetry: false,
    appInfo: { name: 'Tollgate' },
  });
  clients.set(secretKey, client);
  return client;
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/**
 * Lets the requests of a client wait for their turn. One that is refused since there were too many has done nothing, so
 * it is sent again after a pause.
 */
function paced(client: HttpClient, pace: Pace): HttpClient {
  const send = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    for (let left = mostRepetitions; ; left--) {
      await pace.take();
      const answer = await send(...request);
      if (answer.getStatusCode() !== tooManyRequests) return answer;
      pace.backOff();
      if (left === 0) return answer;
      // An answer that is not read keeps its connection.
      await answer.toJSON().catch(() => undefined);
    }
  };
  return client;
}

const tooManyRequests = 429;
/** How often a request is sent again that was refused since there were too many. */
const mostRepetitions = 2;
