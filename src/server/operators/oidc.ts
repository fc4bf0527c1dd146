import * as client from 'openid-client';
import type { OidcSettings } from '#config';

/** The values that verify the return of the browser from the provider; an encrypted cookie has them. */
export interface OidcState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** A person as the provider knows it. */
export interface OidcPerson {
  /** The issuer and the subject. */
  readonly identity: string;
  readonly email: string | undefined;
  readonly isVerified: boolean;
  readonly name: string | undefined;
}

/** The identity provider of the settings. */
export interface Oidc {
  readonly label: string;
  /** The address to which the browser goes, and what its return needs. */
  begin(redirectUri: string): Promise<{ readonly address: string; readonly state: OidcState }>;
  /** The person who comes back. Errors: those of the provider, and for another state, nonce or signature. */
  finish(returned: URL, state: OidcState): Promise<OidcPerson>;
}

const scope = 'openid email profile';

/** Uses the provider with PKCE, state and nonce. Its addresses and keys are read at the first sign-in. */
export function createOidc(settings: OidcSettings): Oidc {
  const { issuer, clientId, clientSecret, label } = settings;
  let discovered: Promise<client.Configuration> | undefined;

  function configuration() {
    // The settings allow http for this machine only.
    const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    // The signature of the ID token is verified, too, and not only the connection that it comes over.
    const execute = [...insecure, client.enableNonRepudiationChecks];
    discovered ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, { execute })
      .catch((error) => {
        discovered = undefined;
        throw error;
      });
    return discovered;
  }

  return {
    label,

    async begin(redirectUri) {
      const config = await configuration();
      const verifier = client.randomPKCECodeVerifier();
      const state = { state: client.randomState(), nonce: client.randomNonce(), verifier };
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: state.state,
        nonce: state.nonce,
      });
      return { address: address.href, state };
    },

    async finish(returned, { state, nonce, verifier }) {
      const config = await configuration();
      const tokens = await client.authorizationCodeGrant(config, returned, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider has sent no ID token');
      const isComplete = claims.email !== undefined || !config.serverMetadata().userinfo_endpoint;
      const { email, email_verified, name } = isComplete
        ? claims
        : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      return {
        identity: `${claims.iss} ${claims.sub}`,
        email: typeof email === 'string' ? email : undefined,
        isVerified: email_verified === true,
        name: typeof name === 'string' ? name : undefined,
      };
    },
  };
}
