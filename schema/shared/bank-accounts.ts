import type { BankAccount as Account } from '#domain/model/platform/parties.ts';
import { nullable, text } from '../engine/fields.ts';
import { input, object } from '../engine/types.ts';

const parts = {
  holder: nullable.text('The holder, where it is not the seller.'),
  iban: text('The IBAN; it is stored in capital letters without spaces.'),
  bic: nullable.text('The BIC of the bank.'),
};

export const BankAccount = object<Account>('BankAccount')({
  description: 'A bank account for transfers.',
  fields: () => parts,
});

export const BankAccountInput = input('BankAccountInput', {
  description: 'A bank account for transfers.',
  fields: parts,
});
