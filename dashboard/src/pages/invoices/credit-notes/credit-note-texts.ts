import { wordsOf } from '../../../parts/texts/formats.ts';

const settlements: Readonly<Record<string, string>> = {
  refund: 'Refunded',
  credit: 'Added to the credit balance',
  write_off: 'Written off',
  set_off: 'Set off on a later invoice',
};

/** How the customer gets the amount of a credit note. */
export const settlementText = (settlement: string) =>
  settlements[settlement] ?? wordsOf(settlement);
