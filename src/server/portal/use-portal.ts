import type { MikroORM } from '@mikro-orm/postgresql';
import type { DocumentNode } from 'graphql';
import type { Plugin, YogaServer } from 'graphql-yoga';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Context } from '#schema/engine/builder.ts';
import { databaseFailure } from '../database/failure.ts';
import type { Transport } from '../request-sessions.ts';
import { executorOf, refusalOf } from './executor.ts';
import { openPortalSession } from './open-session.ts';
import { closedPage, problemPage } from './page.ts';
import { portalPath } from './portal-link.ts';
import { sessionCookie, tokenIn } from './portal-session.ts';
import { type Answer, answerTo, type Visit } from './routes.ts';
import { pageHeaders } from './style.ts';

/** The parts of the gateway that the portal uses. */
export interface PortalParts {
  readonly orm: MikroORM;
  /** Opens the session of a customer token for a request. Errors: UNAUTHORIZED, TOO_MANY_REQUESTS. */
  readonly admit: (request: Request, transport: Transport, token: string) => Promise<unknown>;
  /** The context of an operation of an admitted request. */
  readonly contextOf: (asked: Transport & { readonly request: Request }) => Promise<Context>;
  readonly checkAccess: (session: Context, document: DocumentNode) => void;
  /** The start of links to this service. */
  readonly originOf: (request: Request) => string;
}

/**
 * Serves the portal, where a customer sees its invoices and manages payment methods and subscriptions. A signed link
 * opens a session with a customer token, and each page executes operations of the graph with it.
 */
export function usePortal(parts: PortalParts): Plugin {
  let yoga: YogaServer<object, object>;
  return {
    onYogaInit(init) {
      yoga = init.yoga;
    },
    onRequest({ request, url, serverContext, fetchAPI: { Response }, endResponse }) {
      const { pathname } = url;
      if (pathname !== portalPath && !pathname.startsWith(`${portalPath}/`)) return;
      const origin = parts.originOf(request);
      const base = `${new URL(origin).pathname.replace(/\/$/, '')}${portalPath}`;
      const path = pathname.slice(portalPath.length).replace(/^\//, '');
      const transport = serverContext as Transport;
      return serve()
        .catch((error) => failure(error, base))
        .then(({ status = 200, headers, body = '' }) =>
          endResponse(new Response(body, { status, headers: { ...pageHeaders, ...headers } })),
        );

      async function serve(): Promise<Answer> {
        if (request.method !== 'GET' && request.method !== 'POST') {
          return { status: 405, headers: { allow: 'GET, POST' } };
        }
        if (request.method === 'GET' && path.startsWith('open/')) return open(path.slice(5));
        const token = tokenIn(request);
        if (!token) return closed();
        await parts.admit(request, transport, token);
        const context = await parts.contextOf({ ...transport, request });
        const execute = executorOf(yoga, context, parts.checkAccess);
        const visit = { request, url, path, token, origin, base, context, execute };
        return answerTo(visit satisfies Visit);
      }

      async function open(text: string): Promise<Answer> {
        const token = await openPortalSession(parts.orm, text, origin);
        if (!token) return closed();
        const cookie = sessionCookie(token, base, origin.startsWith('https:'));
        return { status: 303, headers: { location: base, 'set-cookie': cookie } };
      }
    },
  };
}

const closed = (): Answer => ({ status: 403, body: closedPage() });

/** The page for a failure; unexpected ones are thrown on, to be logged. */
function failure(error: unknown, base: string): Answer {
  const code = error instanceof DomainError ? error.code : undefined;
  const refused = refusalOf(error);
  if (code === 'UNAUTHORIZED' || code === 'FORBIDDEN' || refused?.status === 403) return closed();
  const busy = 'Wait a moment and try again. Nothing was changed by this request.';
  if (code === 'TOO_MANY_REQUESTS' || refused?.status === 429) {
    return { status: 429, body: problemPage('Too many requests', busy, base) };
  }
  if (refused?.status === 503 || databaseFailure(error) !== undefined) {
    const headers = { 'retry-after': '1' };
    return { status: 503, headers, body: problemPage('Billing is busy', busy, base) };
  }
  if (!refused) throw error;
  const { status, message } = refused;
  return { status, body: problemPage('This is not possible', message, base) };
}
