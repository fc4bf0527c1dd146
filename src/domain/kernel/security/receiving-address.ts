import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { isPublicHost } from './public-host.ts';

/** The rule for addresses to which this service sends requests. */
export interface AddressRule {
  /** Whether addresses that are not public are allowed. */
  readonly allowPrivate: boolean;
}

/** Credentials in an address would appear in lists and events. */
export const isBareAddress = (url: string) => {
  const parsed = URL.parse(url);
  return !parsed || (parsed.username === '' && parsed.password === '');
};

/** Refuses an address that requests would refuse, too. Errors: BAD_REQUEST for the field at `path`. */
export function checkAddress(
  { livemode }: Pick<Session, 'livemode'>,
  path: string,
  url: string | null | undefined,
  { allowPrivate }: AddressRule,
) {
  if (url == null) return;
  const { protocol, hostname } = new URL(url);
  if (livemode && protocol !== 'https:') {
    throw invalid('INVALID', path, 'must be an https address in live mode');
  }
  if (!allowPrivate && !isPublicHost(hostname)) {
    throw invalid(
      'INVALID',
      path,
      `must be a public address, and ${hostname} is not: start the service with WEBHOOK_ALLOW_PRIVATE=true to allow it`,
    );
  }
}
