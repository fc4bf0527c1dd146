import type { IncomingMessage } from 'node:http';
import type { Plugin } from 'graphql-yoga';
import type { KeySession } from '../auth/authenticate.ts';
import { statementCount } from '../database/statement-count.ts';
import { newRequestId } from '../http/request-id.ts';
import type { Logger } from '../observability/logger.ts';
import { operationOf } from '../observability/operation-name.ts';
import { describeRequest } from '../observability/trace-requests.ts';
import { type LoggedPath, loggedPaths } from './logged-path.ts';

const givenId = /^[0-9A-Za-z_-]{1,64}$/;

/** The facts about a request or a WebSocket connection in addition to its line of HTTP. */
export interface RequestNotes {
  /** The API key, accepted or refused. */
  apiKeyId?: string | undefined;
  /** The customer token, accepted or refused. */
  customerTokenId?: string | undefined;
  /** The operator who has signed in. */
  operatorId?: string | undefined;
  organizationId?: string;
  livemode?: boolean;
  /** Why the key was refused. */
  authentication?: string;
  /** The operation and its top-level fields, such as `mutation createProduct`. */
  operation?: string;
}

/**
 * The record of a request or a WebSocket connection while it is served. Instances of a class are young, while V8
 * allocates literals that often survive in the old generation at once; they would keep the session there.
 */
export class RequestRecord {
  readonly id: string;
  readonly at: number = performance.now();
  readonly notes: RequestNotes = {};
  /** The session of its credential, from its first use. */
  session: KeySession | Promise<KeySession> | undefined = undefined;
  /** The same when its caller has been admitted. */
  admitted: KeySession | undefined = undefined;
  /** The origins that its credential allows; all when absent. */
  allowedOrigins: readonly string[] | undefined = undefined;

  constructor(id: string) {
    this.id = id;
  }
}

/** The record is a property of the request: a table of weak references costs the garbage collector more. */
const record = Symbol('record');
type Recorded = object & { [record]?: RequestRecord };

/** The record of a request, from its arrival. */
export const recordOf = (request: Recorded): RequestRecord | undefined => request[record];

/** The id of the request in its log line and its response; its events have it as their cause. */
export const requestIdOf = (request: object | undefined): string | undefined =>
  request && recordOf(request)?.id;

/** Adds fields to the log line of a request or a connection. */
export function note(request: object | undefined, notes: RequestNotes) {
  const started = request && recordOf(request);
  if (started) Object.assign(started.notes, notes);
}

/** Opens the record of a connection that is not one request: a WebSocket. Returns its id and its notes. */
export function openRecord(connection: Recorded) {
  const started = new RequestRecord(newRequestId());
  connection[record] = started;
  return started;
}

/**
 * The origin of a request: the peer of its connection, and the proxy's statement about the client.
 */
export function addressOf(request: IncomingMessage | undefined) {
  const forwarded = request?.headers['x-forwarded-for'];
  return {
    address: request?.socket.remoteAddress,
    ...(forwarded && { forwardedFor: String(forwarded).slice(0, 200) }),
  };
}

/**
 * Gives every request an id, returns it as `X-Request-Id`, and writes one line with client, address and operation. A
 * usable id of the client is kept. A request whose key is refused is a warning. So is a slow one, whose line also
 * states the time spent in the database, and its slowest statement without values.
 */
export function useRequestLog(
  logger: Logger,
  routes: readonly { readonly path: string }[],
  slowMilliseconds: number,
): Plugin {
  const pathOf: LoggedPath = loggedPaths(routes);
  return {
    onRequest({ request }) {
      const given = request.headers.get('x-request-id');
      const id = given && givenId.test(given) ? given : newRequestId();
      (request as Recorded)[record] = new RequestRecord(id);
    },
    onExecute({ args }) {
      note((args.contextValue as { request?: Request }).request, { operation: operationOf(args) });
    },
    onSubscribe({ args }) {
      note((args.contextValue as { request?: Request }).request, { operation: operationOf(args) });
    },
    onResponse({ request, response, serverContext }) {
      const started = recordOf(request);
      const { headers } = response;
      // Answers to preflight requests come before this plugin.
      if (!started) return headers.set('x-request-id', newRequestId());
      if (!headers.has('x-request-id')) headers.set('x-request-id', started.id);
      const path = pathOf(request.url);
      const { organizationId, operation } = started.notes;
      describeRequest({
        method: request.method,
        path,
        requestId: started.id,
        organizationId,
        operation,
      });
      const milliseconds = performance.now() - started.at;
      const slow = milliseconds >= slowMilliseconds;
      const level = slow || started.notes.authentication ? 'warn' : 'info';
      if (!logger.isLevelEnabled(level)) return;
      const line = {
        requestId: started.id,
        ...addressOf((serverContext as { req?: IncomingMessage } | undefined)?.req),
        method: request.method,
        path,
        ...started.notes,
        status: response.status,
        milliseconds: tenths(milliseconds),
      };
      if (!slow) return logger[level](line);
      const count = statementCount();
      const database = count && {
        statements: count.statements,
        databaseMilliseconds: tenths(count.milliseconds),
        slowestStatement: count.slowest.sql,
        slowestMilliseconds: tenths(count.slowest.milliseconds),
      };
      logger.warn({ ...line, ...database }, 'Slow request');
    },
  };
}

const tenths = (milliseconds: number) => Math.round(milliseconds * 10) / 10;
