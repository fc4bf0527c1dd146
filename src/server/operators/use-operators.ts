import type { Plugin } from 'graphql-yoga';
import { Operator } from '#domain/model/platform/operator.ts';
import { isForeign } from '../http/origins.ts';
import type { Transport } from '../sessions/request-sessions.ts';
import { acceptByPassword, readInvitation } from './invitations.ts';
import { beginOidc, finishOidc } from './oidc-sign-in.ts';
import { passwordSignIn } from './password-sign-in.ts';
import { sessionAnswer, sessionIn } from './session-answer.ts';
import { signOut } from './sign-out.ts';
import {
  type AccountParts,
  type Answer,
  refusal,
  refusalAnswer,
  type Visit,
  visitOf,
} from './visit.ts';

/** Where operators sign in, below the address of the service. No page of another origin may call it. */
export const accountsPath = '/auth';

const invitation = /^invitations\/([^/]+)$/;

/** Serves the sign-in of operators as JSON for the dashboard. */
export function useOperators(parts: AccountParts): Plugin {
  return {
    onRequest({ request, url, serverContext, fetchAPI: { Response }, endResponse }) {
      const { pathname } = url;
      if (!pathname.startsWith(`${accountsPath}/`)) return;
      const path = pathname.slice(accountsPath.length + 1);
      const way = wayTo(path, parts);
      if (!way) return;
      const { req } = serverContext as Transport;
      return serve().then(({ status, headers, body }) => {
        const all = { 'cache-control': 'no-store', ...headers };
        endResponse(
          body
            ? Response.json(body, { status, headers: all })
            : new Response(null, { status, headers: all }),
        );
      });

      async function serve(): Promise<Answer> {
        const asked = way as Way;
        if (request.method !== asked.method) {
          const answer = refusal(405, 'BAD_REQUEST', `${pathname} takes ${asked.method} only`);
          return { ...answer, headers: { allow: asked.method } };
        }
        const visit = visitOf(parts, request, url, req);
        if (asked.method === 'POST' && isForeign(request, visit.origin)) {
          return refusal(403, 'FORBIDDEN', 'Only pages of this service may call this address');
        }
        try {
          return await asked.answer(visit);
        } catch (error) {
          const answer = refusalAnswer(error);
          if (answer) return answer;
          throw error;
        }
      }
    },
  };
}

interface Way {
  readonly method: 'GET' | 'POST';
  readonly answer: (visit: Visit) => Promise<Answer>;
}

function wayTo(path: string, { oidc }: AccountParts): Way | undefined {
  if (path === 'session') return { method: 'GET', answer: session };
  if (path === 'sign-in') return { method: 'POST', answer: passwordSignIn };
  if (path === 'sign-out') return { method: 'POST', answer: signOut };
  if (path === 'invitations/accept') return { method: 'POST', answer: acceptByPassword };
  const [, token] = invitation.exec(path) ?? [];
  if (token) return { method: 'GET', answer: (visit) => readInvitation(visit, token) };
  if (!oidc) return undefined;
  if (path === 'oidc') return { method: 'GET', answer: (visit) => beginOidc(visit, oidc) };
  if (path !== 'oidc/callback') return undefined;
  return { method: 'GET', answer: (visit) => finishOidc(visit, oidc) };
}

/** Who has signed in with this browser, or how to sign in. */
async function session(visit: Visit): Promise<Answer> {
  const found = await sessionIn(visit);
  if (found) return { status: 200, body: await sessionAnswer(visit.orm.em, found) };
  const anyTenant = { filters: { tenant: false } } as const;
  const accounts = (await visit.orm.em.fork().count(Operator, {}, anyTenant)) > 0;
  const oidc = visit.oidc ? { label: visit.oidc.label } : null;
  return {
    status: 401,
    body: {
      code: 'UNAUTHORIZED',
      message: 'No operator has signed in with this browser',
      issues: [],
      signIn: { accounts, oidc },
    },
  };
}
