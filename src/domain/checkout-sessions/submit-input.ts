import { z } from 'zod';
import { keptText, labelInput } from '#domain/kernel/inputs.ts';
import { paymentMethodTypes } from '#domain/payment-methods/payment-method.ts';

const line = labelInput.trim();

/** The form of the page. */
export const submitInput = z.object({
  email: z.email('Enter an e-mail address, such as ada@example.com').max(255),
  name: keptText(255).trim().min(1, 'Enter a name'),
  line1: line,
  line2: line,
  city: line,
  state: line,
  postal_code: line,
  country: z.union([z.literal(''), z.string().regex(/^[A-Z]{2}$/, 'Choose a country')]),
  token: z.string().max(255),
  type: z.enum(paymentMethodTypes),
});

export type CheckoutForm = z.output<typeof submitInput>;
