import type { BankAccount as Account } from '#domain/model/platform/parties.ts';
import { nullable, text } from '../engine/fields.ts';
import { input, object } from '../engine/types.ts';

const parts = {
  holder: 'The holder, where it is not the seller.',
  iban: 'The IBAN; it is stored in capital letters without spaces.',
  bic: 'The BIC of the bank.',
} as const;

export const BankAccount = object<Account>('BankAccount')({
  description: 'A bank account for transfers.',
  fields: () => ({
    holder: nullable.text(parts.holder),
    iban: text(parts.iban),
    bic: nullable.text(parts.bic),
  }),
});

export const BankAccountInput = input('BankAccountInput', {
  description: 'A bank account for transfers.',
  fields: {
    holder: nullable.text(parts.holder),
    iban: text(parts.iban),
    bic: nullable.text(parts.bic),
  },
});
