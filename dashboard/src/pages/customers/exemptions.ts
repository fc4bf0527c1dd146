import type { TaxExemption } from './customer.generated.ts';

/** Whether a customer pays tax, in words. */
export const exemptions: { readonly value: TaxExemption; readonly label: string }[] = [
  { value: 'none', label: 'None: it pays tax' },
  { value: 'exempt', label: 'Exempt from tax' },
  { value: 'reverse', label: 'Reverse charge: it accounts for VAT itself' },
];
