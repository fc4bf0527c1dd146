import { z } from 'zod';

/** The e-mail of an operator; upper and lower case make no difference. */
export const emailInput = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email('must be an e-mail address').max(255));
