import type { IncomingMessage } from 'node:http';
import type { MikroORM } from '@mikro-orm/postgresql';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Actor, Session } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import type { Client, OpenedSession } from '#domain/platform/commands/operators/start-session.ts';
import { addressOf } from '../http/addresses.ts';
import type { Logger } from '../observability/logger.ts';
import { requestIdOf } from '../request-log/use-request-log.ts';
import type { Oidc } from './oidc.ts';
import { openHomeSession } from './open-home-session.ts';

/** The parts of the gateway that accounts use. */
export interface AccountParts {
  readonly orm: MikroORM;
  readonly logger: Logger;
  /** The start of links to this service. */
  readonly originOf: (request: Request) => string;
  readonly trustedProxies: number;
  /** Whether sessions and causes keep the addresses of clients. */
  readonly auditAddresses: boolean;
  readonly oidc: Oidc | undefined;
}

/** A request to an address below `/auth`. */
export interface Visit extends AccountParts {
  readonly request: Request;
  readonly url: URL;
  readonly origin: string;
  /** The address for limits. */
  readonly address: string;
  readonly client: Client;
}

/** The status, the headers and the JSON of an answer. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const longestUserAgent = 300;

export function visitOf(
  parts: AccountParts,
  request: Request,
  url: URL,
  incoming: IncomingMessage | undefined,
): Visit {
  const address = incoming ? addressOf(incoming, parts.trustedProxies) : '';
  const userAgent = request.headers.get('user-agent')?.slice(0, longestUserAgent) ?? null;
  const client = parts.auditAddresses
    ? { address: address || null, userAgent }
    : { address: null, userAgent: null };
  return { ...parts, request, url, origin: parts.originOf(request), address, client };
}

/** The actor of what happens before an operator has signed in. */
export const beforeSignIn: Actor = { type: 'system', id: 'sign-in' };

/** A session of the organization in which a visit changes something; its cause names the request. */
export async function sessionOfVisit(
  { orm, request, url, client }: Visit,
  organizationId: string,
  actor: Actor,
  field: string,
): Promise<Session> {
  const now = await presentOf(orm.em);
  const causeId = requestIdOf(request);
  const session = await openHomeSession(orm, organizationId, { actor, causeId, now });
  session.cause.address = client.address;
  session.cause.operation = {
    type: 'mutation',
    name: null,
    fields: [field],
    method: request.method,
    route: url.pathname.replace(/(\/invitations\/)(?!accept$).*/, '$1:token'),
  };
  return session;
}

/** Whether the outcome of a sign-in is a session. */
export const isOpened = (outcome: object | string): outcome is OpenedSession =>
  typeof outcome === 'object' && 'text' in outcome;

/** A refusal in the shape of all errors. */
export const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  body: { code, message, issues: [] },
});

/** The answer to a refusal of the domain; undefined for an unexpected error. */
export function refusalAnswer(error: unknown): Answer | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const { code, message, issues, retryAfter } = error;
  const status = statuses[code];
  const headers = retryAfter ? { 'retry-after': String(retryAfter) } : {};
  return { status, headers, body: { code, message, issues } };
}

const statuses = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  MISDIRECTED: 421,
  CONFLICT: 400,
  TOO_MANY_REQUESTS: 429,
  SERVICE_UNAVAILABLE: 503,
} as const;
