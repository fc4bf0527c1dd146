import { logged } from '#domain/kernel/database-failure.ts';
import { open, seal } from '#domain/kernel/security/secrets.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { OperatorInvitation } from '#domain/model/platform/operator-invitation.ts';
import { acceptInvitation } from '#domain/platform/commands/operators/accept-invitation.ts';
import { emailInput } from '#domain/platform/commands/operators/email-input.ts';
import { signIn } from '#domain/platform/commands/operators/sign-in.ts';
import { cookieIn, cookieName, cookieText } from '../auth/session-cookie.ts';
import type { Oidc, OidcPerson, OidcState } from './oidc.ts';
import { signedIn } from './session-answer.ts';
import { type Answer, beforeSignIn, isOpened, sessionOfVisit, type Visit } from './visit.ts';

const name = 'tollgate_oidc';
const path = '/auth/oidc';
const stateSeconds = 600;
const longestName = 255;

/** These reads find the tenant, so they have none. */
const anyTenant = { filters: { tenant: false } } as const;

/** Why a person is sent back to the page without a session; `?error=` names it. */
type Failure =
  | 'oidc_unavailable'
  | 'oidc_expired'
  | 'oidc_failed'
  | 'oidc_unverified'
  | 'oidc_unknown'
  | 'oidc_other_identity';

const stateCookie = (origin: string, value: string, seconds: number) =>
  // The provider's redirect comes from another site, which a cookie with Strict does not survive.
  cookieText(origin, { name, path, value, seconds, sameSite: 'Lax' });

const redirect = (address: string, cookies: readonly string[] = []): Answer => ({
  status: 303,
  headers: { location: address, ...(cookies[0] && { 'set-cookie': cookies[0] }) },
});

const returnUri = ({ origin }: Visit) => `${origin}${path}/callback`;

/** Sends the browser to the identity provider. */
export async function beginOidc(visit: Visit, oidc: Oidc): Promise<Answer> {
  try {
    const { address, state } = await oidc.begin(returnUri(visit));
    const until = (await presentOf(visit.orm.em)).getTime() + stateSeconds * 1_000;
    const value = seal(JSON.stringify({ ...state, until }), name);
    return redirect(address, [stateCookie(visit.origin, value, stateSeconds)]);
  } catch (error) {
    visit.logger.error(logged(error), 'The identity provider cannot be used');
    return backWith(visit, 'oidc_unavailable');
  }
}

/**
 * Signs in a person who comes back from the identity provider: the operator with the verified e-mail, or the person
 * whom an invitation names. The first sign-in ties the operator to the account at the provider.
 */
export async function finishOidc(visit: Visit, oidc: Oidc): Promise<Answer> {
  const state = await stateIn(visit);
  if (!state) return backWith(visit, 'oidc_expired');
  const returned = new URL(`${returnUri(visit)}${visit.url.search}`);
  let person: OidcPerson;
  try {
    person = await oidc.finish(returned, state);
  } catch (error) {
    visit.logger.warn(logged(error), 'A sign-in through the identity provider has failed');
    return backWith(visit, 'oidc_failed');
  }
  const { data: email } = emailInput.safeParse(person.email);
  if (!email || !person.isVerified) return backWith(visit, 'oidc_unverified');
  const outcome = await enter(visit, person, email);
  if (typeof outcome === 'string') return backWith(visit, outcome);
  const answer = await signedIn(visit, outcome);
  return redirect(`${visit.origin}/`, [answer.headers?.['set-cookie'] ?? '']);
}

async function enter(visit: Visit, { identity, name }: OidcPerson, email: string) {
  const { orm, client } = visit;
  const em = orm.em.fork();
  const operator = await em.findOne(Operator, { email }, anyTenant);
  if (operator) {
    const actor = { type: 'operator', id: operator.id } as const;
    const session = await sessionOfVisit(visit, operator.organizationId, actor, 'signIn');
    const oidcIdentity = identity;
    const signed = await signIn(session, {
      operatorId: operator.id,
      method: 'oidc',
      oidcIdentity,
      client,
    });
    if (isOpened(signed)) return signed;
    return signed === 'OTHER_IDENTITY' ? 'oidc_other_identity' : 'oidc_unknown';
  }
  const [invitation] = await em.find(
    OperatorInvitation,
    { email, acceptedAt: null, revokedAt: null, expiresAt: { $gt: await presentOf(em) } },
    { ...anyTenant, orderBy: { createdAt: 'desc' }, limit: 1 },
  );
  if (!invitation) return 'oidc_unknown';
  const { id, organizationId } = invitation;
  const session = await sessionOfVisit(visit, organizationId, beforeSignIn, 'acceptInvitation');
  const accepted = await acceptInvitation(session, {
    id,
    name: name?.slice(0, longestName),
    oidcIdentity: identity,
    method: 'oidc',
    client,
  });
  return isOpened(accepted) ? accepted : 'oidc_unknown';
}

async function stateIn({ orm, request, origin }: Visit): Promise<OidcState | undefined> {
  const value = cookieIn(request.headers, cookieName(origin, name));
  if (!value?.startsWith('sealed:')) return undefined;
  const opened = openedState(value);
  if (!opened) return undefined;
  const { until, ...state } = opened;
  return until > (await presentOf(orm.em)).getTime() ? state : undefined;
}

/** The state in a cookie; undefined for a changed or foreign one, which is no sign-in. */
function openedState(value: string): (OidcState & { until: number }) | undefined {
  try {
    return JSON.parse(open(value, name));
  } catch {
    return undefined;
  }
}

const backWith = ({ origin }: Visit, failure: Failure): Answer =>
  redirect(`${origin}/?error=${failure}`, [stateCookie(origin, '', 0)]);
