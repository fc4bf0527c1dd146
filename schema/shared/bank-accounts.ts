import type { BankAccount as Account } from '#domain/model/platform/parties.ts';
import { builder } from '../engine/builder.ts';

const parts = {
  holder: 'The holder, where it is not the seller.',
  iban: 'The IBAN; it is stored in capital letters without spaces.',
  bic: 'The BIC of the bank.',
} as const;

export const BankAccount = builder.objectRef<Account>('BankAccount').implement({
  description: 'A bank account for transfers.',
  fields: (t) => ({
    holder: t.exposeString('holder', { nullable: true, description: parts.holder }),
    iban: t.exposeString('iban', { description: parts.iban }),
    bic: t.exposeString('bic', { nullable: true, description: parts.bic }),
  }),
});

export const BankAccountInput = builder.inputType('BankAccountInput', {
  description: 'A bank account for transfers.',
  fields: (t) => ({
    holder: t.string({ description: parts.holder }),
    iban: t.string({ required: true, description: parts.iban }),
    bic: t.string({ description: parts.bic }),
  }),
});
