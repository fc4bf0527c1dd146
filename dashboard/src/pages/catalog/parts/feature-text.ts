import { numberText } from '../../../parts/texts/formats.ts';
import type { Feature } from '../types.ts';

/** A feature with what it grants, such as "Ten seats: 10 × Seats". */
export function featureText({ name, amount, usageMeter, resource }: Feature): string {
  const of = usageMeter?.name ?? resource?.name;
  return amount === null || of === undefined ? name : `${name}: ${numberText(amount)} × ${of}`;
}
