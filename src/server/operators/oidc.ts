import type { Configuration } from 'openid-client';
import type { OidcSettings } from '#config';
import { lazyPackage } from '#lazy-package';

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

const openid = lazyPackage<typeof import('openid-client')>('openid-client');

const scope = 'openid email profile';

/** Uses the provider with PKCE, state and nonce. Its addresses and keys are read at the first sign-in. */
export function createOidc(settings: OidcSettings): Oidc {
  const { issuer, clientId, clientSecret, label } = settings;
  let discovered: Promise<Configuration> | undefined;

  function configuration() {
    // The settings allow http for this machine only.
    const insecure = issuer.startsWith('http:') ? [openid().allowInsecureRequests] : [];
    // The signature of the ID token is verified, too, and not only the connection that it comes over.
    const execute = [...insecure, openid().enableNonRepudiationChecks];
    discovered ??= openid()
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
      const verifier = openid().randomPKCECodeVerifier();
      const state = { state: openid().randomState(), nonce: openid().randomNonce(), verifier };
      const address = openid().buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        code_challenge: await openid().calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: state.state,
        nonce: state.nonce,
      });
      return { address: address.href, state };
    },

    async finish(returned, { state, nonce, verifier }) {
      const config = await configuration();
      const tokens = await openid().authorizationCodeGrant(config, returned, {
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
        : await openid().fetchUserInfo(config, tokens.access_token, claims.sub);
      return {
        identity: `${claims.iss} ${claims.sub}`,
        email: typeof email === 'string' ? email : undefined,
        isVerified: email_verified === true,
        name: typeof name === 'string' ? name : undefined,
      };
    },
  };
}
