/** The ways in which money arrives without a processor. */
export const externalMethods = [
  { value: 'bank_transfer', label: 'Bank transfer' },
  { value: 'check', label: 'Check' },
  { value: 'cash', label: 'Cash' },
  { value: 'card_elsewhere', label: 'Card, charged elsewhere' },
  { value: 'other', label: 'Other' },
] as const;

export type ExternalMethod = (typeof externalMethods)[number]['value'];
