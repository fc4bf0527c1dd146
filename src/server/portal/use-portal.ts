import type { MikroORM } from '@mikro-orm/postgresql';
import type { DocumentNode } from 'graphql';
import type { Plugin, YogaServer } from 'graphql-yoga';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Context } from '#schema/engine/builder.ts';
import type { KeySession } from '../auth/authenticate.ts';
import { formOf } from '../http/bounded-body.ts';
import { requireOrigin } from '../http/origins.ts';
import { html } from '../pages/html.ts';
import type { Transport } from '../sessions/request-sessions.ts';
import { changesOf, type FetchGraph } from './changes.ts';
import { executorOf, refusalOf } from './executor.ts';
import { liveScript } from './live-part.ts';
import { openPortalSession } from './open-session.ts';
import { closedPage, problemPage, reasonPart } from './page.ts';
import { portalPath } from './portal-link.ts';
import { framedBase, localeCookie, sessionCookie, sessionIn } from './portal-session.ts';
import { answerTo } from './routes.ts';
import { pageHeaders } from './style.ts';
import { type Wording, wordingFor, wordingOf } from './texts/wording.ts';
import type { Answer, Visit } from './visit.ts';

const mostBytes = 8_192;

/** The parts of the gateway that the portal uses. */
export interface PortalParts {
  readonly orm: MikroORM;
  readonly fetchGraph: FetchGraph;
  /** Opens the session of a customer token for a request. Errors: UNAUTHORIZED, TOO_MANY_REQUESTS. */
  readonly admit: (request: Request, transport: Transport, token: string) => Promise<KeySession>;
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
      const root = `${new URL(origin).pathname.replace(/\/$/, '')}${portalPath}`;
      const path = pathname.slice(portalPath.length).replace(/^\//, '');
      const transport = serverContext as Transport;
      const named = sessionIn(request, path, root);
      const wording = wordingFor(request, url.searchParams.get('locale'), named?.locale);
      // The page for an invalid session shows nothing of the customer, so each page may frame it.
      let ancestors: readonly string[] | '*' = /^(in|embed)\//.test(path) ? '*' : [];
      return serve()
        .catch((error) => failure(error, named?.base ?? root, wording))
        .then(({ status = 200, headers, cookies = [], body = '' }) => {
          const all = new Headers({ ...pageHeaders(ancestors), ...headers });
          for (const cookie of cookies) all.append('set-cookie', cookie);
          endResponse(new Response(body, { status, headers: all }));
        });

      async function serve(): Promise<Answer> {
        if (request.method !== 'GET' && request.method !== 'POST') {
          return { status: 405, headers: { allow: 'GET, POST' } };
        }
        const isGet = request.method === 'GET';
        if (isGet && path === 'live.js') return script();
        if (isGet && path.startsWith('open/')) return open(path.slice('open/'.length), false);
        if (isGet && path.startsWith('embed/')) return open(path.slice('embed/'.length), true);
        if (!named) return closed(wording);
        // Read before the database is asked: nothing is executed for a form that did not arrive whole.
        const form = isGet ? undefined : await formOf(request, mostBytes);
        const { token, isFramed } = named;
        const { allowedOrigins } = await parts.admit(request, transport, token);
        const own = new URL(origin).origin;
        requireOrigin([own, ...(allowedOrigins ?? [])], request.headers.get('origin'));
        const context = await parts.contextOf({ ...transport, request });
        if (isFramed) ancestors = allowedOrigins?.filter((each) => each !== own) ?? [];
        const execute = executorOf(yoga, context, parts.checkAccess);
        const changes = () => changesOf(parts.fetchGraph, request.signal, transport, token);
        const asked = { request, url, origin, root, wording, form };
        const visit = { ...named, ...asked, context, execute, changes };
        return answerTo(visit satisfies Visit);
      }

      async function open(text: string, isFramed: boolean): Promise<Answer> {
        const token = await openPortalSession(parts.orm, text, origin, isFramed);
        if (!token) return closed(wording);
        const locale = wordingOf(url.searchParams.get('locale'))?.locale;
        const location = isFramed ? framedBase(root, token, locale) : root;
        if (isFramed) return { status: 303, headers: { location } };
        const isSecure = origin.startsWith('https:');
        const cookies = [sessionCookie(token, root, isSecure)];
        if (locale) cookies.push(localeCookie(locale, root, isSecure));
        return { status: 303, headers: { location }, cookies };
      }
    },
  };
}

const script = (): Answer => ({
  headers: {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
  },
  body: liveScript,
});

const closed = (wording: Wording): Answer => ({ status: 403, body: closedPage(wording) });

/** The page for a failure; unexpected ones are thrown on, to be logged. */
function failure(error: unknown, base: string, wording: Wording): Answer {
  const { text } = wording;
  const code = error instanceof DomainError ? error.code : undefined;
  const refused = refusalOf(error);
  if (code === 'UNAUTHORIZED' || code === 'FORBIDDEN' || refused?.status === 403) {
    return closed(wording);
  }
  const busy = html`${text('busyText')}`;
  if (code === 'TOO_MANY_REQUESTS' || refused?.status === 429) {
    return { status: 429, body: problemPage(wording, text('manyTitle'), busy, base) };
  }
  if (refused?.status === 503 || databaseFailure(error) !== undefined) {
    const headers = { 'retry-after': '1' };
    return { status: 503, headers, body: problemPage(wording, text('busyTitle'), busy, base) };
  }
  if (!refused) throw error;
  const { status, message } = refused;
  const reason = reasonPart(wording, message);
  return { status, body: problemPage(wording, text('refusedTitle'), reason, base) };
}
