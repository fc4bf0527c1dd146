import { serviceUrl } from '../base.ts';

/** The operator whose session the cookie of this browser names. */
export interface OperatorSession {
  readonly operator: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly role: string;
    readonly hasSecondFactor: boolean;
  };
  readonly organization: { readonly id: string; readonly name: string };
  readonly scopes: readonly string[];
  readonly csrfToken: string;
}

/** The ways to sign in that the service offers besides a key. */
export interface SignInWays {
  readonly accounts: boolean;
  readonly oidc: { readonly label: string } | null;
}

const noWays: SignInWays = { accounts: false, oidc: null };

/** A refusal to sign in, with its code and the time to wait. */
class SignInError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The session of this browser, or the ways to get one. */
export async function readSession(): Promise<OperatorSession | SignInWays> {
  const response = await fetch(new URL('auth/session', serviceUrl), accepting);
  const body = await bodyOf(response);
  return response.ok
    ? (body as unknown as OperatorSession)
    : ((body.signIn as SignInWays) ?? noWays);
}

/** Signs in with a password, and a code where the account has a second factor. Errors: SignInError. */
export const signIn = (input: { email: string; password: string; code?: string }) =>
  post('auth/sign-in', input);

/** An invitation to sign in, or a link to set a new password. */
export interface Invitation {
  readonly kind: 'invitation' | 'password';
  readonly email: string;
  readonly name: string | null;
  readonly role: string;
  readonly organization: { readonly name: string } | string;
  readonly passwordLength: { readonly least: number; readonly most: number };
}

/** The invitation of a link. Errors: SignInError where it cannot be used any more. */
export async function readInvitation(token: string): Promise<Invitation> {
  const path = `auth/invitations/${encodeURIComponent(token)}`;
  const response = await fetch(new URL(path, serviceUrl), accepting);
  const body = await bodyOf(response);
  if (response.ok) return body as unknown as Invitation;
  throw new SignInError('NOT_FOUND', String(body.message ?? 'This link cannot be used any more'));
}

/** Sets the password of an invited operator, and signs in. Errors: SignInError. */
export const acceptInvitation = (input: { token: string; name?: string; password: string }) =>
  post('auth/invitations/accept', input);

export async function signOut(csrfToken: string) {
  const headers = { 'tollgate-csrf': csrfToken };
  await fetch(new URL('auth/sign-out', serviceUrl), { method: 'POST', headers });
}

/** Whether a secret key is valid. Errors: SignInError with the reason of the service. */
export async function checkKey(key: string) {
  const response = await fetch(new URL('graphql', serviceUrl), {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${key}` },
    body: JSON.stringify({ query: '{ organization { id } }' }),
  });
  const { errors } = await bodyOf(response);
  const [error] = (errors ?? []) as { message: string; extensions?: { code?: string } }[];
  if (error) throw new SignInError(error.extensions?.code ?? 'UNKNOWN', error.message);
}

const json = { 'content-type': 'application/json', accept: 'application/json' };
const accepting = { headers: { accept: 'application/json' } };

async function post(path: string, input: unknown): Promise<OperatorSession> {
  const response = await fetch(new URL(path, serviceUrl), {
    method: 'POST',
    headers: json,
    body: JSON.stringify(input),
  });
  const body = await bodyOf(response);
  if (response.ok) return body as unknown as OperatorSession;
  const { code = 'UNKNOWN', message = 'The service refused the request' } = body;
  throw new SignInError(String(code), String(message));
}

/** The body of an answer. A proxy may answer with a page instead of JSON. */
async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new SignInError('UNAVAILABLE', `The service answered ${response.status}; try again soon`);
  }
}
