import type { IncomingMessage } from 'node:http';
import { DomainError } from '#domain/kernel/errors.ts';
import { credentialIdOf } from '#domain/kernel/session.ts';
import type { Limits } from '#limits';
import { addressOf } from '../http/addresses.ts';
import { RateLimit } from '../http/rate-limit.ts';
import type { Authenticate, KeySession } from './authenticate.ts';
import type { AuthenticateOperator } from './authenticate-operator.ts';
import { credentialIn } from './credential-text.ts';
import type { OperatorCredential } from './operator-credential.ts';

/** The origin of a call: a request over HTTP, or a message over a socket. */
export interface Caller {
  readonly authorization: string | null | undefined;
  /** The session of an operator, where the caller has no key. */
  readonly operator?: OperatorCredential | undefined;
  readonly causeId?: string | undefined;
  /** The request that came over the network; absent within the process. */
  readonly incoming?: IncomingMessage | undefined;
}

/** Opens the sessions of callers who stay within the rates. */
export interface Admit {
  /** At once for a known key. Errors: UNAUTHORIZED, TOO_MANY_REQUESTS. */
  (caller: Caller): Promise<KeySession> | KeySession;
  /**
   * The session of a known key; undefined for a caller that has to be looked up. Asks no database. Errors: UNAUTHORIZED
   * for a caller without a key, and for a text that cannot be one; TOO_MANY_REQUESTS.
   */
  expect(caller: Caller): KeySession | undefined;
  /** The headers that state the rate of a caller: `RateLimit` and `RateLimit-Policy` of the IETF; none without a limit. */
  rateHeaders(session: KeySession): Readonly<Record<string, string>>;
}

/**
 * Admits requests at the rate of their key, or of the customer of their token. Requests with an unknown key, or with none, count for
 * their address. An address with too many of them is refused before the key is looked up. Requests
 * with a known key are never refused because of others from their address.
 */
export function createAdmission(
  authenticate: Authenticate,
  authenticateOperator: AuthenticateOperator,
  { rates, trustedProxies }: Pick<Limits, 'rates' | 'trustedProxies'>,
): Admit {
  const ofKeys = {
    secret: new RateLimit(rates.secret),
    publishable: new RateLimit(rates.publishable),
    customer_token: new RateLimit(rates.customer_token),
  };
  const ofAddresses = new RateLimit(rates.address);

  const admit: Admit = (caller) => {
    const { authorization, operator, causeId } = caller;
    const beforeLookup = () => requirePatience(caller);
    const session = operator
      ? authenticateOperator(operator, causeId, beforeLookup)
      : authenticate(authorization, causeId, beforeLookup);
    if (!(session instanceof Promise)) return withinRate(session);
    return session.then(withinRate, (error: unknown) => refused(caller, error));
  };
  admit.expect = (caller) => {
    const { authorization, operator, causeId } = caller;
    const known = operator ? undefined : authenticate.recall(authorization, causeId);
    if (known) return withinRate(known);
    try {
      if (!operator) credentialIn(authorization);
    } catch (error) {
      return refused(caller, error);
    }
    requirePatience(caller);
    return undefined;
  };
  admit.rateHeaders = (session) => {
    const { keyType } = session;
    const state = ofKeys[keyType].state(callerIdOf(session));
    if (!state) return {};
    const { most, seconds, remaining, fullInSeconds } = state;
    return {
      'ratelimit-policy': `"${keyType}";q=${most};w=${seconds}`,
      ratelimit: `"${keyType}";r=${remaining};t=${fullInSeconds}`,
    };
  };
  return admit;

  /** Refuses an address with too many requests without a valid key. Errors: TOO_MANY_REQUESTS. */
  function requirePatience({ incoming }: Caller) {
    if (incoming) refuse(ofAddresses.wait(addressOf(incoming, trustedProxies)), withoutKey);
  }

  function withinRate(session: KeySession): KeySession {
    refuse(
      ofKeys[session.keyType].take(callerIdOf(session)),
      session.customerId
        ? 'Too many requests with tokens of this customer'
        : `Too many requests with this ${session.operator ? 'session' : 'API key'}`,
    );
    return session;
  }

  function refused({ incoming }: Caller, error: unknown): never {
    if (incoming && (error as DomainError).code === 'UNAUTHORIZED') {
      refuse(ofAddresses.take(addressOf(incoming, trustedProxies)), withoutKey);
    }
    throw error;
  }
}

/** All tokens of a customer are one caller. */
const callerIdOf = (session: KeySession) => session.customerId ?? credentialIdOf(session);

const withoutKey = 'Too many requests without a valid API key';

function refuse(waitSeconds: number, what: string) {
  if (waitSeconds > 0) throw tooMany(what, waitSeconds);
}

/** A refusal that states when to try again. */
export const tooMany = (what: string, retryAfter: number) =>
  new DomainError('TOO_MANY_REQUESTS', `${what}: try again in ${retryAfter} s`, { retryAfter });
