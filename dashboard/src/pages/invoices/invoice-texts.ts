import { wordsOf } from '../../parts/texts/formats.ts';

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

/** How an invoice is collected, in words. */
export const collectionText = (method: string) =>
  method === 'send_invoice' ? 'The invoice is sent' : 'The payment method is charged';
