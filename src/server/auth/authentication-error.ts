import { DomainError, type Issue } from '#domain/kernel/errors.ts';
import type { ApiKey } from '#domain/model/platform/api-key.ts';
import type { CustomerToken } from '#domain/model/platform/customer-token.ts';

/** The reason why a key is refused; the client receives only the message. */
export type AuthenticationFailure =
  | 'missing'
  | 'malformed'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'csrf'
  | 'foreign';

/** A key or token as a request names it. */
export type Credential = ApiKey | CustomerToken;

/** A refused key or token, for the log: the reason, and the credential itself if it is known. */
export class AuthenticationError extends DomainError {
  readonly reason: AuthenticationFailure;
  readonly credential: Credential | undefined;

  constructor(
    reason: AuthenticationFailure,
    message: string,
    { credential, issues }: { credential?: Credential | undefined; issues?: readonly Issue[] } = {},
  ) {
    super('UNAUTHORIZED', message, { ...(issues && { issues }) });
    this.reason = reason;
    this.credential = credential;
  }
}
