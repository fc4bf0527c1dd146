import type { IncomingMessage } from 'node:http';
import type { Admit, Caller } from '../auth/admission.ts';
import type { KeySession } from '../auth/authenticate.ts';
import {
  type OperatorCredential,
  parametersOf,
  type ReadOperator,
  upgradeOf,
} from '../auth/operator-credential.ts';
import { requireOrigin } from '../http/origins.ts';
import { note, type RequestRecord, recordOf, requestIdOf } from '../request-log/use-request-log.ts';
import { noteRefusal } from '../request-log/yoga-log.ts';
import { credentialOf } from './client-values.ts';

/** The transport of an operation. */
export interface Transport {
  /** The parameters that a WebSocket client sent when connecting, in place of headers. */
  connectionParams?: Record<string, unknown>;
  /** The WebSocket connection, for the log lines of its operations. */
  connection?: object;
  /** The HTTP request, or the one that opened the socket. */
  req?: IncomingMessage | undefined;
  /** Aborted when a socket is closed. */
  signal?: AbortSignal;
}

interface OriginCaller extends Caller {
  /** The origin of the page that sent the request or opened the socket. */
  readonly origin?: string | null | undefined;
  /** The record of the request, whose answer the page may read only if the credential allows its origin. */
  readonly record?: RequestRecord | undefined;
}

type Found = KeySession | Promise<KeySession>;

/** The sessions of requests and sockets; at once for a known credential. Errors: those of `Admit`, FORBIDDEN. */
export interface Sessions {
  readonly sessionOf: (request: Request, transport: Transport) => Found;
  /**
   * The session of a request whose key is known; undefined where it has to be looked up. Asks no database, so a body can
   * be read before the first statement. Errors: those of `Admit.expect`, FORBIDDEN.
   */
  readonly expected: (request: Request, transport: Transport) => KeySession | undefined;
  /** The session of a page, whose credential is not in the header of its request. */
  readonly sessionOfPage: (request: Request, transport: Transport, authorization: string) => Found;
  readonly sessionOfSocket: (transport: Transport) => Found;
}

export function createSessions(admit: Admit, readOperator: ReadOperator): Sessions {
  return {
    sessionOf: (request, transport) =>
      sessionWith(request, () =>
        callerOf(request, transport, () => readOperator(request, request.headers)),
      ),

    expected(request, transport) {
      try {
        const caller = callerOf(request, transport, () => readOperator(request, request.headers));
        const known = admit.expect(caller);
        const session = known && accepted(request, caller, known);
        if (caller.record) caller.record.session = session;
        return session;
      } catch (error) {
        return refused(request, error);
      }
    },

    // The page refuses foreign origins itself: its own one is not among those of a token for a frame.
    sessionOfPage: (request, transport, authorization) =>
      sessionWith(request, () => ({
        ...callerOf(request, transport, () => undefined),
        authorization,
        origin: null,
      })),

    sessionOfSocket: ({ connection, connectionParams, req }) =>
      noted(connection, () => ({
        authorization: credentialOf(connectionParams),
        operator:
          credentialOf(connectionParams) === undefined && req
            ? readOperator(upgradeOf(req), parametersOf(connectionParams))
            : undefined,
        causeId: requestIdOf(connection),
        incoming: req,
        origin: req?.headers.origin,
      })),
  };

  /** A request is admitted once, at the first use of its session. */
  function sessionWith(request: Request, caller: () => OriginCaller): Found {
    const record = recordOf(request);
    if (record?.session) return record.session;
    const session = noted(request, caller);
    if (record) record.session = session;
    return session;
  }

  /** Admits a caller, and adds its key, or the reason of the refusal, to the log line. */
  function noted(asked: object | undefined, callerOf: () => OriginCaller): Found {
    try {
      const caller = callerOf();
      const accept = (session: KeySession) => accepted(asked, caller, session);
      const session = admit(caller);
      if (!(session instanceof Promise)) return accept(session);
      return session.then(accept).catch((error) => refused(asked, error));
    } catch (error) {
      return refused(asked, error);
    }
  }
}

/** The caller of a request, with the session of an operator where it has no key. */
function callerOf(
  request: Request,
  { req }: Transport,
  operator: () => OperatorCredential | undefined,
): OriginCaller {
  const { headers } = request;
  const record = recordOf(request);
  const authorization = headers.get('authorization');
  return {
    authorization,
    operator: authorization === null ? operator() : undefined,
    causeId: record?.id,
    incoming: req,
    origin: headers.get('origin'),
    record,
  };
}

function accepted(
  asked: object | undefined,
  { record, origin }: OriginCaller,
  session: KeySession,
) {
  const { apiKeyId, customerTokenId, operator, organizationId, livemode, allowedOrigins } = session;
  const operatorId = operator?.id;
  note(asked, { apiKeyId, customerTokenId, operatorId, organizationId, livemode });
  if (record) record.admitted = session;
  if (allowedOrigins) {
    if (record) record.allowedOrigins = allowedOrigins;
    requireOrigin(allowedOrigins, origin);
  }
  return session;
}

function refused(asked: object | undefined, error: unknown): never {
  noteRefusal(asked, error);
  throw error;
}
