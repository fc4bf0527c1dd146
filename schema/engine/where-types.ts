import type { InputRef } from '@pothos/core';
import { longestText, mostValues } from '#domain/kernel/lists/where.ts';
import { builder } from './builder.ts';

/** The limit of a list of values, for descriptions. */
export const most = `At most ${mostValues}.`;

export const IdWhere = builder.inputType('IdWhere', {
  description: 'A condition on an id; all given fields must match.',
  fields: (t) => ({
    is: t.id({ description: 'The id.' }),
    in: t.idList({ description: `One of these ids. ${most}` }),
  }),
});

export const TextWhere = builder.inputType('TextWhere', {
  description: 'A condition on a text; all given fields must match.',
  fields: (t) => ({
    is: t.string({ description: 'The whole text, in the same case.' }),
    in: t.stringList({ description: `One of these texts, in the same case. ${most}` }),
    contains: t.string({
      description: `A part of the text, in any case. At most ${longestText} characters.`,
    }),
  }),
});

export const TimeWhere = builder.inputType('TimeWhere', {
  description: 'A condition on a time; all given fields must match.',
  fields: (t) => ({
    from: t.field({ type: 'Timestamp', description: 'The earliest time, inclusive.' }),
    to: t.field({ type: 'Timestamp', description: 'The latest time, exclusive.' }),
  }),
});

export const AmountWhere = builder.inputType('AmountWhere', {
  description:
    'A condition on an amount of money in one currency; all given fields must match. Limits compare no amounts of two currencies.',
  fields: (t) => ({
    currency: t.string({
      description:
        'The currency of the limits, an ISO 4217 code; when absent, that of the condition `currency: { is }` in the same argument, else that of the organization.',
    }),
    min: t.field({ type: 'SafeInt', description: 'The smallest amount, inclusive.' }),
    max: t.field({ type: 'SafeInt', description: 'The largest amount, inclusive.' }),
  }),
});

export const CountWhere = builder.inputType('CountWhere', {
  description: 'A condition on a number; all given fields must match.',
  fields: (t) => ({
    min: t.field({ type: 'SafeInt', description: 'The smallest number, inclusive.' }),
    max: t.field({ type: 'SafeInt', description: 'The largest number, inclusive.' }),
  }),
});

export const DecimalWhere = builder.inputType('DecimalWhere', {
  description: 'A condition on an exact decimal; all given fields must match.',
  fields: (t) => ({
    min: t.field({ type: 'Decimal', description: 'The smallest value, inclusive.' }),
    max: t.field({ type: 'Decimal', description: 'The largest value, inclusive.' }),
  }),
});

export const MetadataWhere = builder.inputType('MetadataWhere', {
  description: 'An entry of key-value pairs, such as metadata.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'The key.' }),
    value: t.field({
      type: 'JSON',
      required: true,
      description: 'The value; `1` and `"1"` differ.',
    }),
  }),
});

/** An enum of the graph, or a scalar with fixed values. */
export type EnumType = { readonly name: string } | 'EventType';

const enumWheres = new Map<EnumType, InputRef<object>>();

/** The condition type of an enum or of a scalar with fixed values, one for each. */
export function enumWhere(type: EnumType): InputRef<object> {
  const known = enumWheres.get(type);
  if (known) return known;
  const name = typeof type === 'string' ? type : type.name;
  const made = builder.inputType(`${name}Where`, {
    description: 'A condition on an enum; all given fields must match.',
    fields: (t) => ({
      is: t.field({ type: type as never, description: 'The value.' }),
      in: t.field({
        type: [type] as never,
        description: `One of these values. ${most}`,
      }),
    }),
  }) as InputRef<object>;
  enumWheres.set(type, made);
  return made;
}
