import { z } from 'zod';
import { DomainError } from '#domain/kernel/errors.ts';
import { nameInput } from '#domain/kernel/inputs/inputs.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { OperatorInvitation } from '#domain/model/platform/operator-invitation.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { acceptInvitation } from '#domain/platform/commands/operators/accept-invitation.ts';
import {
  hashPassword,
  newPasswordInput,
  passwordLength,
} from '#domain/platform/commands/operators/passwords.ts';
import { hashSecretText, isSecretText } from '#domain/platform/commands/operators/secret-text.ts';
import { jsonBody } from './json-body.ts';
import { signedIn } from './session-answer.ts';
import {
  type Answer,
  beforeSignIn,
  isOpened,
  refusal,
  sessionOfVisit,
  type Visit,
} from './visit.ts';

/** These reads find the tenant, so they have none. */
const anyTenant = { filters: { tenant: false } } as const;

const input = z.object({
  token: z.string(),
  name: nameInput.nullish(),
  password: newPasswordInput,
});

/** The person whom a link invites, for the page that it opens. Errors: NOT_FOUND. */
export async function readInvitation(visit: Visit, token: string): Promise<Answer> {
  const invitation = await usableInvitation(visit, token);
  const { email, name, role, expiresAt, organizationId, operatorId } = invitation;
  const settings = await visit.orm.em
    .fork()
    .findOneOrFail(OrganizationSettings, { organizationId, livemode: true }, anyTenant);
  const body = {
    kind: operatorId === null ? 'invitation' : 'password',
    email,
    name: name ?? null,
    role,
    organization: { id: organizationId, name: settings.name },
    expiresAt: expiresAt.getTime(),
    passwordLength,
  };
  return { status: 200, body };
}

/** Accepts an invitation, or sets a new password, and signs in. Errors: BAD_REQUEST, NOT_FOUND. */
export async function acceptByPassword(visit: Visit): Promise<Answer> {
  const { token, name, password } = await jsonBody(visit.request, input);
  const { id, organizationId } = await usableInvitation(visit, token);
  const passwordHash = await hashPassword(password);
  const session = await sessionOfVisit(visit, organizationId, beforeSignIn, 'acceptInvitation');
  const accepted = await acceptInvitation(session, {
    id,
    name: name ?? undefined,
    passwordHash,
    method: 'invitation',
    client: visit.client,
  });
  if (isOpened(accepted)) return signedIn(visit, accepted);
  return refusal(401, 'CODE_REQUIRED', 'The password is set: sign in with it and a code');
}

/** The invitation of a link. Errors: NOT_FOUND for one that is used, revoked, expired or unknown. */
async function usableInvitation({ orm }: Visit, token: string): Promise<OperatorInvitation> {
  const em = orm.em.fork();
  const found = isSecretText(token)
    ? await em.findOne(OperatorInvitation, { hashText: hashSecretText(token) }, anyTenant)
    : null;
  if (found?.isUsable(await presentOf(em))) return found;
  throw new DomainError(
    'NOT_FOUND',
    'This link has been used, has expired or was never complete: ask for a new one',
  );
}
