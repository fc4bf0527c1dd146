import { z } from 'zod';

/** A setting that is a whole number; `of` names its unit. */
export const wholeNumber = (min: number, max: number, of: string) => {
  const message = `must be ${of}, ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.int(message).min(min, message).max(max, message));
};
