import { z } from 'zod';

/** Two or three letters of ISO 639, with a region of ISO 3166 where it matters. */
const shape = /^[A-Za-z]{2,3}(-[A-Za-z]{2})?$/;

/** A language such as `de` or `de-AT`, stored in the usual letters. */
export const languageInput = z
  .string()
  .refine((tag) => shape.test(tag), 'must be a language such as en, de or pt-BR')
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag);
