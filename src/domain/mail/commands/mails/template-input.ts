import { z } from 'zod';
import { keptText } from '#domain/kernel/inputs/inputs.ts';
import { languageInput } from '#domain/kernel/inputs/language-input.ts';
import { mailKinds } from '#domain/model/mail/mail-kinds.ts';

const longestBody = 64_000;

/** The texts of a template. */
export const templateTexts = {
  subject: keptText(500).trim().min(1),
  mjml: keptText(longestBody).trim().min(1),
  text: keptText(longestBody).nullish(),
};

/** The kind and the language that name a template. */
export const templateName = { kind: z.enum(mailKinds), language: languageInput };
