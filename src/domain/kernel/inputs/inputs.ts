import { z } from 'zod';
import { coded } from './input-issues.ts';

/** The first and the last millisecond that the service accepts: the years 1 to 9999, as ISO 8601 writes them. */
export const earliestInstant = Date.parse('0001-01-01T00:00:00.000Z');
export const latestInstant = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a number is a point in time, in milliseconds since 1970. */
export const isInstant = (value: unknown): value is number =>
  Number.isSafeInteger(value) &&
  (value as number) >= earliestInstant &&
  (value as number) <= latestInstant;

const isoInstant = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
  z.iso.date(),
]);

/**
 * The milliseconds since 1970 of a date-time in ISO 8601 with a zone (`Z` or an offset), or of a date, which is
 * midnight UTC. Undefined for any other text: a time without a zone is another instant in each zone.
 */
export function instantOf(text: string): number | undefined {
  const milliseconds = isoInstant.safeParse(text).success ? Date.parse(text) : undefined;
  return isInstant(milliseconds) ? milliseconds : undefined;
}

/** A point in time as the API's scalars parse it. */
export const instantInput = z.date();

/** Text that the database can store: no zero character, no half of a surrogate pair. */
export const keptText = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .refine(
      (text) => !text.includes('\0') && text.isWellFormed(),
      'must be well-formed text without U+0000',
    );

/** A character that ends a line or that no one sees: a control character, a separator of lines or of paragraphs. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Whether a text is one line. U+0000 has a refusal of its own. */
const isOneLine = (text: string) => text.includes('\0') || !breaks.test(text);
const notOneLine = 'must be one line without control characters';

/** Text of one line that the database can store. */
export const keptLine = (maximum: number) => keptText(maximum).refine(isOneLine, notOneLine);

/** The refusal of a key that JavaScript loses when it copies an object. */
export const lostKey = 'must not have the key __proto__';

/** Whether JSON text has a key that would be lost. In a text such a key would have its quotes escaped. */
export const losesKey = (json: string) => json.includes('"__proto__":');

/** The same without the white space around it, which may break lines. */
export const oneLine = (maximum: number) => keptText(maximum).trim().refine(isOneLine, notOneLine);

/** A display name. */
export const nameInput = oneLine(255).min(1);

/** A name for programs, unique within a pricing model. */
export const slugInput = oneLine(255).min(1);

/** A tax code of products: a word of the organization, in lower case. */
export const taxCodeInput = keptText(64)
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be letters, digits, dots, hyphens and underscores');

/** A whole number of minor units (cents, say), 0 or more. */
export const amountInput = z.int().min(0);

/** A whole number of units, 1 or more. */
export const countInput = z.int().min(1);

/** Text that may be long, such as a description. */
export const textInput = keptText(10_000);

/** A short text that may be empty, such as a label. */
export const labelInput = keptLine(255);

/** An absolute URL with http or https. */
export const webAddressInput = z.url({ protocol: /^https?$/ }).max(2_000);

/** The fields of an update: each may be left out or null, which both mean «leave it as it is». */
export function changesTo<S extends z.ZodRawShape>(fields: S) {
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    (field as z.ZodType).nullish(),
  ]);
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> };
}

/** For `.refine`: a body may repeat the id of its path, but not name another record. */
export function sameId<K extends string>(
  record: K,
): [
  (
    input: { id: string } & { [Key in K]?: { id?: string | null | undefined } | null | undefined },
  ) => boolean,
  ReturnType<typeof coded>,
] {
  return [
    (input) => input[record]?.id == null || input[record].id === input.id,
    coded('MISMATCH', [record, 'id'], 'differs from the id in the path'),
  ];
}
