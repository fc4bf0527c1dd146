import type { z } from 'zod';
import type { CredentialType } from '#domain/kernel/session.ts';
import { wholeNumber } from './settings.ts';

/** A rate and how much of it may come at once. */
export interface Rate {
  /** How many a second; 0 for any number. */
  readonly perSecond: number;
  /** How many at once after a pause. */
  readonly burst: number;
}

/** How much one GraphQL document may ask for. */
export interface DocumentLimits {
  /** The largest nesting depth of objects; the parts of a page do not count. */
  readonly depth: number;
  /** How many objects it may ask for at most, a list without pages taken as 20. */
  readonly cost: number;
  /** How many fields are resolved for it. */
  readonly fields: number;
}

/**
 * The limits for clients that ask for more than their share; `rest/guides/settings.md` describes
 * each setting.
 */
export interface Limits {
  readonly rates: Readonly<Record<CredentialType | 'address', Rate>>;
  readonly trustedProxies: number;
  readonly documents: Readonly<Record<CredentialType, DocumentLimits>>;
  /** How many bytes the text of a query has. */
  readonly queryBytes: number;
  readonly streamsPerSocket: number;
  readonly streamsPerKey: number;
  /** How many live streams all tokens of a customer have together. */
  readonly streamsPerCustomer: number;
  /** How many live streams over SSE an address has. */
  readonly ssePerAddress: number;
  readonly socketsPerKey: number;
  /** How many sockets all tokens of a customer have together. */
  readonly socketsPerCustomer: number;
  readonly socketsPerAddress: number;
  /** How many dry runs and advances of test clocks run at a time. */
  readonly longWork: number;
  /** How many more of them wait. */
  readonly longWorkWaiting: number;
}

const perSecond = (fallback: number) =>
  wholeNumber(0, 1_000_000, 'a number of requests a second').default(fallback);
const objects = (fallback: number) =>
  wholeNumber(1, 100_000_000, 'a number of objects').default(fallback);
const fields = (fallback: number) =>
  wholeNumber(1, 100_000_000, 'a number of fields').default(fallback);
const levels = (fallback: number) => wholeNumber(1, 100, 'a number of levels').default(fallback);
const streams = (fallback: number) =>
  wholeNumber(1, 1_000_000, 'a number of subscriptions').default(fallback);
const sockets = (fallback: number) =>
  wholeNumber(1, 1_000_000, 'a number of sockets').default(fallback);

/** The settings that limits are made of. */
export const limitSettings = {
  RATE_LIMIT_SECRET: perSecond(5_000),
  RATE_LIMIT_PUBLISHABLE: perSecond(1_000),
  RATE_LIMIT_CUSTOMER: perSecond(50),
  RATE_LIMIT_ADDRESS: perSecond(100),
  TRUSTED_PROXIES: wholeNumber(0, 10, 'a number of proxies').default(0),
  GRAPHQL_QUERY_BYTES: wholeNumber(1_024, 262_144, 'a number of bytes').default(32_768),
  GRAPHQL_DEPTH_SECRET: levels(12),
  GRAPHQL_DEPTH_PUBLISHABLE: levels(5),
  GRAPHQL_DEPTH_CUSTOMER: levels(8),
  GRAPHQL_COST_SECRET: objects(200_000),
  GRAPHQL_COST_PUBLISHABLE: objects(1_000),
  GRAPHQL_COST_CUSTOMER: objects(20_000),
  GRAPHQL_FIELDS_SECRET: fields(500_000),
  GRAPHQL_FIELDS_PUBLISHABLE: fields(20_000),
  GRAPHQL_FIELDS_CUSTOMER: fields(50_000),
  LIVE_PER_SOCKET: streams(100),
  LIVE_PER_KEY: streams(1_000),
  LIVE_PER_CUSTOMER: streams(100),
  SSE_PER_ADDRESS: streams(2_000),
  SOCKETS_PER_KEY: sockets(1_000),
  SOCKETS_PER_CUSTOMER: sockets(50),
  SOCKETS_PER_ADDRESS: sockets(2_000),
  LONG_WORK_CONNECTIONS: wholeNumber(1, 100, 'a number of connections').optional(),
  LONG_WORK_WAITING: wholeNumber(0, 10_000, 'a number of requests').default(100),
};

type Settings = {
  readonly [Name in keyof typeof limitSettings]: z.output<(typeof limitSettings)[Name]>;
};

/** After a pause a caller may send as much at once as in so many seconds. */
const burstSeconds = 10;

const rate = (perSecond: number): Rate => ({ perSecond, burst: perSecond * burstSeconds });

/** The limits from the settings; long work takes a quarter of the pool unless it is set. */
export function limitsOf(
  settings: Omit<Settings, 'LONG_WORK_CONNECTIONS'> & Partial<Settings>,
  poolSize: number,
): Limits {
  return {
    rates: {
      secret: rate(settings.RATE_LIMIT_SECRET),
      publishable: rate(settings.RATE_LIMIT_PUBLISHABLE),
      customer_token: rate(settings.RATE_LIMIT_CUSTOMER),
      address: rate(settings.RATE_LIMIT_ADDRESS),
    },
    trustedProxies: settings.TRUSTED_PROXIES,
    documents: {
      secret: {
        depth: settings.GRAPHQL_DEPTH_SECRET,
        cost: settings.GRAPHQL_COST_SECRET,
        fields: settings.GRAPHQL_FIELDS_SECRET,
      },
      publishable: {
        depth: settings.GRAPHQL_DEPTH_PUBLISHABLE,
        cost: settings.GRAPHQL_COST_PUBLISHABLE,
        fields: settings.GRAPHQL_FIELDS_PUBLISHABLE,
      },
      customer_token: {
        depth: settings.GRAPHQL_DEPTH_CUSTOMER,
        cost: settings.GRAPHQL_COST_CUSTOMER,
        fields: settings.GRAPHQL_FIELDS_CUSTOMER,
      },
    },
    queryBytes: settings.GRAPHQL_QUERY_BYTES,
    streamsPerSocket: settings.LIVE_PER_SOCKET,
    streamsPerKey: settings.LIVE_PER_KEY,
    streamsPerCustomer: settings.LIVE_PER_CUSTOMER,
    ssePerAddress: settings.SSE_PER_ADDRESS,
    socketsPerKey: settings.SOCKETS_PER_KEY,
    socketsPerCustomer: settings.SOCKETS_PER_CUSTOMER,
    socketsPerAddress: settings.SOCKETS_PER_ADDRESS,
    longWork: settings.LONG_WORK_CONNECTIONS ?? Math.max(1, Math.floor(poolSize / 4)),
    longWorkWaiting: settings.LONG_WORK_WAITING,
  };
}
