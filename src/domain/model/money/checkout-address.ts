import type { StoredAddress } from '#domain/model/platform/parties.ts';

/** The billing address that a customer enters at a checkout. */
export interface CheckoutAddress {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly address: StoredAddress;
}
