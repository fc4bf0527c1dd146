/** The prepaid credit that customers may buy in one currency. */
export interface PrepaidOffer {
  /** ISO 4217, upper case. */
  readonly currency: string;
  /** The amounts to choose from, in minor units, the smallest first. */
  readonly amounts: readonly number[];
  /** The limits of an amount of the customer's own; null where only `amounts` are for sale. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** The days from the grant to the expiry; null for credit that does not expire. */
  readonly validDays: number | null;
}

/** Whether a customer may buy an amount. */
export const isOffered = ({ amounts, minimum, maximum }: PrepaidOffer, amount: number): boolean =>
  amounts.includes(amount) ||
  (minimum !== null && maximum !== null && minimum <= amount && amount <= maximum);

/** The amounts that a customer may buy, in words: `must be 1000, 2000 or from 500 to 9000`. */
export function offeredWords({ amounts, minimum, maximum }: PrepaidOffer): string {
  const range = minimum === null ? [] : [`from ${minimum} to ${maximum}`];
  return `must be ${[...amounts.map(String), ...range].join(' or ')}`;
}
