import { p } from '@mikro-orm/core';
import { z } from 'zod';
import { labelInput, oneLine, webAddressInput } from '#domain/kernel/inputs/inputs.ts';
import { languageInput } from '#domain/kernel/inputs/language-input.ts';
import type { OwnTexts } from '#domain/kernel/inputs/own-texts.ts';

const pictureInput = webAddressInput.or(z.literal(''));

/** The texts of a customer that its organization may set and empty. All of them are personal data. */
export const customerTexts = {
  logoURL: {
    column: p.text().nullable().name('logo_url'),
    input: pictureInput,
    description: 'The URL of a picture.',
    given: 'The http or https URL of a picture.',
    rest: 'always',
  },
  iconURL: {
    column: p.text().nullable().name('icon_url'),
    input: pictureInput,
    description: 'The URL of a small picture.',
    given: 'The http or https URL of a small picture.',
    rest: 'always',
  },
  domain: {
    column: p.string().nullable(),
    input: labelInput,
    description: 'The domain name.',
    rest: 'always',
  },
  userId: {
    column: p.string().nullable(),
    input: labelInput,
    description: 'The id of the corresponding user in your application.',
    rest: 'always',
  },
  /** That of the organization applies when it is null. */
  language: {
    column: p.string().nullable(),
    input: languageInput,
    description:
      'The language of mails to it, such as `de` or `pt-BR`; that of the organization when null.',
    given: 'The language of mails to the customer, such as de or pt-BR.',
    rest: 'never',
  },
  /** Such as the Leitweg-ID of an authority. */
  buyerReference: {
    column: p.string().nullable(),
    input: oneLine(100).min(1),
    description: 'The reference that new invoices state, such as a Leitweg-ID.',
    given: 'The reference that invoices state, such as a Leitweg-ID.',
    rest: 'never',
  },
} as const satisfies OwnTexts;
