import { z } from 'zod';

/** A point in time as the API's scalars hand it over. */
export const instantInput = z.date();

/** A name that people read. */
export const nameInput = z.string().trim().min(1).max(255);

/** A name that programs use, unique within a pricing model. */
export const slugInput = z.string().trim().min(1).max(255);

/** A whole number of minor units (cents, say), 0 or more. */
export const amountInput = z.int().min(0);

/** A whole number of things, 1 or more. */
export const countInput = z.int().min(1);

/** Text that may be long, such as a description. */
export const textInput = z.string().max(10_000);

/** The address of something on the web. */
export const webAddressInput = z.url({ protocol: /^https?$/ }).max(2_000);

/** The fields of an update: each may be left out or null, which both mean «leave it as it is». */
export function changesTo<S extends z.ZodRawShape>(fields: S) {
  const entries = Object.entries(fields).map(([name, field]) => [name, (field as z.ZodType).nullish()]);
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> };
}

/** For `.refine`: a body may repeat the id of its path, but not name another record (reference §2.3). */
export function sameId<K extends string>(
  record: K,
): [
  (
    input: { id: string } & { [Key in K]?: { id?: string | null | undefined } | null | undefined },
  ) => boolean,
  { path: string[]; message: string },
] {
  return [
    (input) => input[record]?.id == null || input[record].id === input.id,
    { path: [record, 'id'], message: 'differs from the id in the path' },
  ];
}
