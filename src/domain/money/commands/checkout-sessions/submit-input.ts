import { z } from 'zod';
import { isCountry } from '#domain/kernel/inputs/countries.ts';
import { isEmail } from '#domain/kernel/inputs/email-input.ts';
import { labelInput, oneLine } from '#domain/kernel/inputs/inputs.ts';
import { paymentMethodTypes } from '#domain/model/platform/payment-method.ts';

const line = labelInput.trim();

/** The fields of the page that decide the taxes. */
export const taxFactsInput = z.object({
  line1: line,
  line2: line,
  city: line,
  state: line,
  postal_code: line,
  country: z.string().refine((code) => code === '' || isCountry(code), 'Choose a country'),
  tax_id: line,
});

/** The form of the page. */
export const submitInput = taxFactsInput.extend({
  email: z.string().max(255).refine(isEmail, 'Enter an e-mail address, such as ada@example.com'),
  name: oneLine(255).min(1, 'Enter a name'),
  token: z.string().max(255),
  type: z.enum(paymentMethodTypes),
  /** The amounts that the page has shown; absent from forms of earlier versions. */
  shown: z.string().max(1_000).optional(),
});

export type TaxFactsForm = z.output<typeof taxFactsInput>;
export type CheckoutForm = z.output<typeof submitInput>;
