import { type AddressTable, openAddress } from '#domain/kernel/security/sealed-address.ts';

type Data = Readonly<Record<string, unknown>>;

/** An address on which its reader acts for a customer, in the values of events about an object. */
export interface EventAddress {
  readonly table: AddressTable;
  readonly field: string;
}

const addresses: Readonly<Record<string, EventAddress>> = {
  Payment: { table: 'payment', field: 'actionUrl' },
  PaymentMethodSetup: { table: 'payment_method_setup', field: 'url' },
};

/** The field of an address in the values of events about a type of objects; undefined for most types. */
export const addressIn = (objectType: string): EventAddress | undefined => addresses[objectType];

/**
 * The values of an event with the address in clear, for those who may act on it. It is null where its key is no longer
 * in SECRETS_KEY: the page has expired before then.
 */
export function openedData<T extends Data | null | undefined>(
  { objectType, objectId }: { readonly objectType: string; readonly objectId: string },
  data: T,
): T {
  const address = addressIn(objectType);
  const stored = address && data?.[address.field];
  if (!address || typeof stored !== 'string') return data;
  return { ...data, [address.field]: opened(address.table, objectId, stored) };
}

function opened(table: AddressTable, id: string, stored: string): string | null {
  try {
    return openAddress(table, id, stored);
  } catch {
    // The key was rotated away since; the event is older than a day.
    return null;
  }
}
