import { z } from 'zod';

/** A cell; undefined where it is empty or its column is not there. */
export const cell = z
  .string()
  .default('')
  .transform((text) => text || undefined);

/** A cell that must not be empty. */
export const filled = z.string().min(1, 'must not be empty');

/** A time with its zone, or a day, which begins at midnight in UTC. */
export const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be a day, or a time with its zone, such as 2026-01-31T10:00:00Z',
  })
  .transform((text) => new Date(text));

export const time = cell.pipe(instant.optional());

/** Digits alone: a separator of thousands or decimals would be read as another number in another country. */
const digits = (example: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number without separators, such as ${example}`)
    .transform(Number);

export const quantity = cell
  .transform((text) => text ?? '1')
  .pipe(digits('3'))
  .pipe(z.int().min(1));

export const minorUnits = cell.pipe(
  digits('1250 minor units for 12.50').pipe(z.int().min(0)).optional(),
);

export const days = cell.pipe(digits('14').pipe(z.int().min(0)).optional());

/** A decimal with a point. */
export const decimal = cell.pipe(
  z
    .string()
    .refine((text) => !text.includes(','), 'has a decimal comma: write a point, such as 12.5')
    .optional(),
);

/** The words of spreadsheets in several languages. */
const yes = [
  'true',
  'wahr',
  'vrai',
  'verdadero',
  'verdadeiro',
  'vero',
  'waar',
  'prawda',
  'sant',
  'sand',
  'yes',
  '1',
];
const no = [
  'false',
  'falsch',
  'faux',
  'falso',
  'onwaar',
  'fałsz',
  'falskt',
  'falsk',
  'no',
  '0',
  '',
];

export const flag = z
  .string()
  .default('')
  .transform((text) => text.toLowerCase())
  .refine((text) => yes.includes(text) || no.includes(text), 'must be true or false')
  .transform((text) => yes.includes(text));
