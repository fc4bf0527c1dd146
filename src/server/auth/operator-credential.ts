import type { IncomingMessage } from 'node:http';
import { DomainError } from '#domain/kernel/errors.ts';
import { type HeaderReader, isForeign } from '../http/origins.ts';
import { AuthenticationError } from './authentication-error.ts';
import { isCsrfToken, sessionTextIn } from './session-cookie.ts';

/** The session of an operator as a request names it, and the part of the organization that the request works in. */
export interface OperatorCredential {
  /** The text in the cookie. */
  readonly text: string;
  readonly livemode: boolean;
  /** The default one of the mode when absent. */
  readonly pricingModelId: string | undefined;
}

/** The address and the headers of a request. */
export interface Asking {
  readonly url: string;
  readonly headers: HeaderReader;
}

/**
 * Reads the session of an operator from the cookie of a request; undefined without one. `given` has the headers
 * `tollgate-*`, which a socket sends as its parameters. Errors: UNAUTHORIZED for a request that does not prove to
 * come from a page of this service; BAD_REQUEST for an unknown mode.
 */
export type ReadOperator = (asking: Asking, given: HeaderReader) => OperatorCredential | undefined;

export const createReadOperator =
  (originOf: (asking: Asking) => string): ReadOperator =>
  (asking, given) => {
    const origin = originOf(asking);
    const text = sessionTextIn(asking.headers, origin);
    if (text === undefined) return undefined;
    if (isForeign(asking, origin)) {
      throw new AuthenticationError(
        'foreign',
        'A page of another origin may not use the session of an operator',
      );
    }
    if (!isCsrfToken(text, given.get('tollgate-csrf') ?? undefined)) {
      throw new AuthenticationError(
        'csrf',
        'The header tollgate-csrf must be the csrfToken of auth/session; use a key without a session',
      );
    }
    const pricingModelId = given.get('tollgate-pricing-model') || undefined;
    return { text, livemode: modeOf(given.get('tollgate-livemode')), pricingModelId };
  };

function modeOf(text: string | null): boolean {
  if (text === null || text === 'false') return false;
  if (text === 'true') return true;
  throw new DomainError('BAD_REQUEST', 'The header tollgate-livemode must be true or false');
}

/** The short names of a socket's parameters, by the names of the headers that they replace. */
const parameters: Readonly<Record<string, string>> = {
  'tollgate-csrf': 'csrf',
  'tollgate-livemode': 'livemode',
  'tollgate-pricing-model': 'pricingModel',
};

/** Reads the parameters of a socket as headers: by the names of the headers, or by the short ones. */
export const parametersOf = (params: Record<string, unknown> | undefined): HeaderReader => ({
  get(name) {
    const value = params?.[name] ?? params?.[parameters[name] ?? ''];
    return value == null ? null : String(value);
  },
});

/** The request that has opened a socket. */
export const upgradeOf = ({ headers, url = '/', socket }: IncomingMessage): Asking => {
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  return {
    url: `${scheme}://${headers.host ?? 'localhost'}${url}`,
    headers: { get: (name) => headers[name]?.toString() ?? null },
  };
};
