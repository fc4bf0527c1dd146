import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** The person who signs in at the provider, as its tokens show her. */
export interface Claims {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

/** An identity provider that signs in one person after the other, without asking. */
export interface Issuer extends AsyncDisposable {
  readonly url: string;
  /** The person of the next sign-in, and what is wrong with the tokens. */
  person: Claims;
  fault: 'nonce' | 'signature' | 'audience' | undefined;
  /** Whether the claims about the person are at the userinfo endpoint alone. */
  thin: boolean;
}

interface Grant {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

/** Starts an issuer of OpenID Connect for one client, which must use PKCE. */
export async function startIssuer(clientId: string, clientSecret: string): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const stranger = await generateKeyPair('RS256');
  const grants = new Map<string, Grant>();
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status = 200, location, body }) => {
        response.writeHead(status, {
          'content-type': 'application/json',
          ...(location && { location }),
        });
        response.end(JSON.stringify(body ?? {}));
      },
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: Issuer = {
    url,
    person: { sub: 'nobody' },
    fault: undefined,
    thin: false,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return issuer;

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (pathname === '/.well-known/openid-configuration') return { body: metadata() };
    if (pathname === '/jwks') {
      return { body: { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }] } };
    }
    if (pathname === '/authorize') return authorize(searchParams);
    if (pathname === '/token') return token(request);
    if (pathname === '/userinfo') return { body: issuer.person };
    return { status: 404 };
  }

  function metadata() {
    return {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      userinfo_endpoint: `${url}/userinfo`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  function authorize(params: URLSearchParams): Answer {
    const redirectUri = params.get('redirect_uri') ?? '';
    const code = randomUUID();
    grants.set(code, {
      redirectUri,
      challenge: params.get('code_challenge') ?? '',
      nonce: params.get('nonce') ?? '',
    });
    const location = new URL(redirectUri);
    location.searchParams.set('code', code);
    location.searchParams.set('state', params.get('state') ?? '');
    return { status: 302, location: location.href };
  }

  async function token(request: IncomingMessage): Promise<Answer> {
    const params = new URLSearchParams(await text(request));
    const grant = grants.get(params.get('code') ?? '');
    grants.delete(params.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(params.get('code_verifier') ?? '')
      .digest('base64url');
    const isClient =
      params.get('client_id') === clientId && params.get('client_secret') === clientSecret;
    if (!grant || !isClient || challenge !== grant.challenge) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    const { person, fault, thin } = issuer;
    const idToken = await new SignJWT({
      ...(thin ? {} : person),
      nonce: fault === 'nonce' ? 'another' : grant.nonce,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(url)
      .setSubject(person.sub)
      .setAudience(fault === 'audience' ? 'another' : clientId)
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(fault === 'signature' ? stranger.privateKey : privateKey);
    return { body: { access_token: randomUUID(), token_type: 'bearer', id_token: idToken } };
  }
}

interface Answer {
  readonly status?: number;
  readonly location?: string;
  readonly body?: object;
}
