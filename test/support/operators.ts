import type { MikroORM } from '@mikro-orm/postgresql';
import { Secret, TOTP } from 'otpauth';
import type { OperatorRole } from '#domain/kernel/access-scopes.ts';
import { newId } from '#domain/kernel/ids.ts';
import { inviteOperator } from '#domain/platform/commands/operators/invite-operator.ts';
import { openHomeSession } from '#server/operators/open-home-session.ts';
import type { createGateway } from '#server/yoga.ts';

type Gateway = ReturnType<typeof createGateway>;

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
type Json = any;

export const password = 'correct horse battery';

/** The text in the link of a new invitation. */
export async function anInvitation(
  orm: MikroORM,
  organizationId: string,
  { role = 'owner', email = anEmail() }: { role?: OperatorRole; email?: string } = {},
) {
  const actor = { type: 'system', id: 'cli' } as const;
  const session = await openHomeSession(orm, organizationId, { actor });
  const { text, operatorInvitation } = await inviteOperator(session, { email, role });
  return { token: text, email, id: operatorInvitation.id };
}

export const anEmail = () => `${newId('person').toLowerCase()}@example.com`;

interface Answered {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

/** A browser with its cookies, and the page of the service in it. */
export class Browser {
  readonly #gateway: Gateway;
  readonly origin: string;
  readonly #cookies = new Map<string, string>();
  csrfToken = '';
  operatorId = '';
  /** The address of the client, as a proxy or a socket shows it. */
  address: string | undefined;

  constructor(gateway: Gateway, origin = 'http://test') {
    this.#gateway = gateway;
    this.origin = origin;
  }

  get cookie() {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async fetch(path: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
    const socket = { remoteAddress: this.address };
    const context = this.address ? { req: { socket, headers: {} } } : {};
    const response: Response = await this.#gateway.fetch(
      `${this.origin}${path}`,
      { redirect: 'manual', ...init, headers: { cookie: this.cookie, ...init.headers } },
      context as never,
    );
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (/Max-Age=0\b/.test(text)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }

  async get(path: string): Promise<Answered> {
    return answered(await this.fetch(path));
  }

  async post(path: string, body?: object, headers: Record<string, string> = {}): Promise<Answered> {
    const json = { 'content-type': 'application/json', origin: new URL(this.origin).origin };
    const response = await this.fetch(path, {
      method: 'POST',
      headers: { ...json, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await answered(response);
    if (answer.body?.csrfToken) {
      this.csrfToken = answer.body.csrfToken;
      this.operatorId = answer.body.operator.id;
    }
    return answer;
  }

  signIn(email: string, code?: string, given = password) {
    return this.post('/auth/sign-in', { email, password: given, ...(code && { code }) });
  }

  async graphql(
    query: string,
    variables: object = {},
    headers: Record<string, string> = {},
  ): Promise<Json> {
    const own = { 'tollgate-csrf': this.csrfToken, ...headers };
    return (await this.post('/graphql', { query, variables }, own)).body;
  }
}

async function answered(response: Response): Promise<Answered> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.includes('json');
  return { status, headers, body: isJson ? JSON.parse(text) : text };
}

/** A browser in which a new operator has signed in. */
export async function aSignedIn(
  gateway: Gateway,
  orm: MikroORM,
  organizationId: string,
  role: OperatorRole = 'owner',
): Promise<Browser & { email: string }> {
  const { token, email } = await anInvitation(orm, organizationId, { role });
  const browser = new Browser(gateway);
  const accepted = await browser.post('/auth/invitations/accept', { token, name: 'Ada', password });
  if (accepted.status !== 200) throw new Error(JSON.stringify(accepted.body));
  return Object.assign(browser, { email });
}

/** The code that an authenticator app shows, some periods from now. */
export function codeOf(secret: string, periods = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() + periods * 30_000 });
}

/** Adds a second factor. The code of the present period is used up. */
export async function aSecondFactor(browser: Browser) {
  const begun = await browser.graphql('mutation { beginSecondFactor { secret url } }');
  const { secret, url } = begun.data.beginSecondFactor;
  const confirmed = await browser.graphql(
    'mutation($code: String!) { confirmSecondFactor(code: $code) { recoveryCodes operator { hasSecondFactor } } }',
    { code: codeOf(secret) },
  );
  return { secret, url, ...confirmed.data.confirmSecondFactor };
}
