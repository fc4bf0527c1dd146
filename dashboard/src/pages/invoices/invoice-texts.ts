import { wordsOf } from '../../parts/formats.ts';

const purposes: Readonly<Record<string, string>> = {
  period: 'A billing period',
  adjustment: 'A change within a billing period',
  last_usage: 'Usage until the end of the subscription',
  threshold: 'Usage within its billing period',
  usage_correction: 'Corrected usage',
  manual: 'Written by hand',
};

/** The purpose of an invoice in words. */
export const purposeText = (purpose: string) => purposes[purpose] ?? wordsOf(purpose);

/** A tax with its rate, such as "VAT 19 %". */
export function taxText(taxType: string | null, rate: string | null): string {
  if (!taxType || taxType === 'none') return 'Tax';
  const name = taxType.includes('_') ? wordsOf(taxType) : taxType.toUpperCase();
  return rate ? `${name} ${rate} %` : name;
}
