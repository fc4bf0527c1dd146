import type { EntityManager } from '@mikro-orm/postgresql';
import { operatorScopes, scopesOfRole } from '#domain/kernel/access-scopes.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import type { Operator } from '#domain/model/platform/operator.ts';
import { OperatorSession } from '#domain/model/platform/operator-session.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { hashSecretText } from '#domain/platform/commands/operators/secret-text.ts';
import type { OpenedSession } from '#domain/platform/commands/operators/start-session.ts';
import { csrfTokenOf, sessionCookie, sessionTextIn } from '../auth/session-cookie.ts';
import type { Answer, Visit } from './visit.ts';

/** These reads find the tenant, so they have none. */
const anyTenant = { filters: { tenant: false } } as const;

/** The session that the cookie of a visit names, with its operator; undefined where it has ended. */
export async function sessionIn({ orm, request, origin }: Visit) {
  const text = sessionTextIn(request.headers, origin);
  if (text === undefined) return undefined;
  const operatorSession = await orm.em
    .fork()
    .findOne(
      OperatorSession,
      { hashText: hashSecretText(text) },
      { ...anyTenant, populate: ['operator'] },
    );
  const operator = operatorSession?.operator.$;
  const now = await presentOf(orm.em);
  if (!operator?.active || !operatorSession?.isUsable(now)) return undefined;
  return { operator, operatorSession, text };
}

/** Who has signed in, for the page. */
export async function sessionAnswer(
  em: EntityManager,
  { operator, operatorSession, text }: OpenedSession,
) {
  const { id, name, email, role, hasSecondFactor, organizationId } = operator;
  const settings = await em
    .fork()
    .findOneOrFail(OrganizationSettings, { organizationId, livemode: true }, anyTenant);
  return {
    operator: { id, name, email, role, hasSecondFactor },
    organization: { id: organizationId, name: settings.name },
    scopes: scopesOf(operator),
    csrfToken: csrfTokenOf(text),
    expiresAt: operatorSession.endsAt.getTime(),
  };
}

const scopesOf = ({ role }: Operator) => scopesOfRole[role] ?? operatorScopes;

/** The answer to a sign-in, with its cookie. */
export async function signedIn(visit: Visit, opened: OpenedSession): Promise<Answer> {
  const { createdAt, expiresAt } = opened.operatorSession;
  const seconds = Math.floor((expiresAt.getTime() - createdAt.getTime()) / 1_000);
  return {
    status: 200,
    headers: { 'set-cookie': sessionCookie(visit.origin, opened.text, seconds) },
    body: await sessionAnswer(visit.orm.em, opened),
  };
}
