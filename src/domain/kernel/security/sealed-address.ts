import { open, seal } from './secrets.ts';

/** The tables with addresses on which a reader acts for a customer. */
export type AddressTable = 'payment' | 'payment_method_setup';

const contextOf = (table: AddressTable, id: string) => `${table} ${id}`;

/** An address as its row, and the events about it, keep it: encrypted for the row. */
export const sealAddress = (table: AddressTable, id: string, address: string) =>
  seal(address, contextOf(table, id));

/** The address in such a text; null for none. Errors: a key that SECRETS_KEY lacks. */
export const openAddress = (table: AddressTable, id: string, stored: string | null | undefined) =>
  stored == null ? null : open(stored, contextOf(table, id));
