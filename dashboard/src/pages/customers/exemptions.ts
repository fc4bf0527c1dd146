import type { TaxExemption } from './customer.generated.ts';

/** Whether a customer pays tax, in words. */
export const exemptions: Readonly<Record<TaxExemption, string>> = {
  none: 'None: it pays tax',
  exempt: 'Exempt from tax',
  reverse: 'Reverse charge: it accounts for VAT itself',
};
