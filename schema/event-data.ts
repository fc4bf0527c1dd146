import type { CallerScope } from '#domain/kernel/access-scopes.ts';
import type { Session } from '#domain/kernel/session.ts';
import { shownTo } from './engine/shown-to.ts';

type Data = Readonly<Record<string, unknown>>;

/** The addresses on which a reader acts for a customer, by the type of the object, and the scope of each. */
const addresses: Readonly<Record<string, readonly [field: string, scope: CallerScope]>> = {
  Payment: ['actionUrl', 'payments_write'],
  PaymentMethodSetup: ['url', 'payment_methods_write'],
};

/** The values of an event as a caller may see them: an address is null without the scope to use it. */
export function shownData<T extends Data | null | undefined>(
  session: Pick<Session, 'scopes'>,
  objectType: string,
  data: T,
): T {
  const [field, scope] = addresses[objectType] ?? [];
  if (!field || !scope || data == null || !(field in data)) return data;
  return { ...data, [field]: shownTo(session, scope, data[field] as string | null) };
}
