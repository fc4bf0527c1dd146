import type { InputRef } from '@pothos/core';
import { longestText, mostValues } from '#domain/kernel/lists/where.ts';
import { builder } from './builder.ts';
import { json, nullable, text } from './fields.ts';
import { input } from './types.ts';

/** The limit of a list of values, for descriptions. */
export const most = `At most ${mostValues}.`;

export const IdWhere = input('IdWhere', {
  description: 'A condition on an id; all given fields must match.',
  fields: {
    is: nullable.id('The id.'),
    in: nullable.of(['ID'], `One of these ids. ${most}`),
  },
});

export const TextWhere = input('TextWhere', {
  description: 'A condition on a text; all given fields must match.',
  fields: {
    is: nullable.text('The whole text, in the same case.'),
    in: nullable.of(['String'], `One of these texts, in the same case. ${most}`),
    contains: nullable.text(`A part of the text, in any case. At most ${longestText} characters.`),
  },
});

export const TimeWhere = input('TimeWhere', {
  description: 'A condition on a time; all given fields must match.',
  fields: {
    from: nullable.time('The earliest time, inclusive.'),
    to: nullable.time('The latest time, exclusive.'),
  },
});

export const AmountWhere = input('AmountWhere', {
  description:
    'A condition on an amount of money in one currency; all given fields must match. Limits compare no amounts of two currencies.',
  fields: {
    currency: nullable.text(
      'The currency of the limits, an ISO 4217 code; when absent, that of the condition `currency: { is }` in the same argument, else that of the organization.',
    ),
    min: nullable.safeInt('The smallest amount, inclusive.'),
    max: nullable.safeInt('The largest amount, inclusive.'),
  },
});

export const CountWhere = input('CountWhere', {
  description: 'A condition on a number; all given fields must match.',
  fields: {
    min: nullable.safeInt('The smallest number, inclusive.'),
    max: nullable.safeInt('The largest number, inclusive.'),
  },
});

export const DecimalWhere = input('DecimalWhere', {
  description: 'A condition on an exact decimal; all given fields must match.',
  fields: {
    min: nullable.decimal('The smallest value, inclusive.'),
    max: nullable.decimal('The largest value, inclusive.'),
  },
});

export const MetadataWhere = input('MetadataWhere', {
  description: 'An entry of key-value pairs, such as metadata.',
  fields: {
    key: text('The key.'),
    value: json('The value; `1` and `"1"` differ.'),
  },
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
      is: t.field({ type: type, description: 'The value.' }),
      in: t.field({
        type: [type],
        description: `One of these values. ${most}`,
      }),
    }),
  }) as InputRef<object>;
  enumWheres.set(type, made);
  return made;
}
