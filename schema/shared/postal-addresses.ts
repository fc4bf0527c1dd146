import type { FieldRef } from '@pothos/core';
import type { PostalAddress as Postal } from '#domain/model/platform/payment-method.ts';
import { builder } from '../engine/builder.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;
type OutputFields = Parameters<
  Parameters<ReturnType<typeof builder.objectRef<Postal>>['implement']>[0]['fields'] & object
>[0];
type InputFields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]>['fields']>[0];

const lines = {
  name: 'The name at the address.',
  line1: 'The street and number.',
  line2: 'Further address details, such as floor or apartment.',
  city: 'The city.',
  state: 'The state, province or region.',
  postal_code: 'The postal code.',
  country: 'The country, an ISO 3166-1 code of two capital letters.',
} as const;

type Line = keyof typeof lines;

/** The lines of an address, for each type that is one. */
export const linesOf = (
  t: OutputFields,
): Record<Line, FieldRef<Types, string | null | undefined>> => ({
  name: t.exposeString('name', { nullable: true, description: lines.name }),
  line1: t.exposeString('line1', { nullable: true, description: lines.line1 }),
  line2: t.exposeString('line2', { nullable: true, description: lines.line2 }),
  city: t.exposeString('city', { nullable: true, description: lines.city }),
  state: t.exposeString('state', { nullable: true, description: lines.state }),
  postal_code: t.exposeString('postal_code', { nullable: true, description: lines.postal_code }),
  country: t.exposeString('country', { nullable: true, description: lines.country }),
});

/** The lines of an address, for each input that is one. */
export const lineInputsOf = (t: InputFields) => ({
  name: t.string({ description: lines.name }),
  line1: t.string({ description: lines.line1 }),
  line2: t.string({ description: lines.line2 }),
  city: t.string({ description: lines.city }),
  state: t.string({ description: lines.state }),
  postal_code: t.string({ description: lines.postal_code }),
  country: t.string({ description: lines.country }),
});

export const PostalAddress = builder.objectRef<Postal>('PostalAddress').implement({
  description: 'A postal address.',
  fields: linesOf,
});

export const PostalAddressInput = builder.inputType('PostalAddressInput', {
  description: 'A postal address.',
  fields: lineInputsOf,
});
