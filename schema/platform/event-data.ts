import { type CallerScope, hasScope } from '#domain/kernel/access-scopes.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Event } from '#domain/model/platform/event.ts';
import { addressIn, openedData } from '#domain/platform/feed/opened-data.ts';

/** The scope to act on an address in the values of events, by the type of the object. */
const scopes: Readonly<Record<string, CallerScope>> = {
  Payment: 'payments_write',
  PaymentMethodSetup: 'payment_methods_write',
};

/** Values of an event as a caller may see them: an address is null without the scope to act on it. */
export function shownData<T extends Readonly<Record<string, unknown>> | null | undefined>(
  session: Pick<Session, 'scopes'>,
  event: Pick<Event, 'objectType' | 'objectId'>,
  data: T,
): T {
  const address = addressIn(event.objectType);
  const scope = scopes[event.objectType];
  if (!address || !scope || data == null || !(address.field in data)) return data;
  if (hasScope(session.scopes, scope)) return openedData(event, data);
  return { ...data, [address.field]: null };
}
