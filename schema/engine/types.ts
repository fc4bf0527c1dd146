import type { EntityClass } from '@mikro-orm/core';
import type { InputObjectRef, InterfaceRef, ObjectRef } from '@pothos/core';
import { builder, type Types } from './builder.ts';
import {
  built,
  type Fields,
  type Given,
  type Inputs,
  mapped,
  optionsOf,
  type Shown,
} from './fields.ts';
import { loadOne } from './load.ts';
import { ownId } from './own-id.ts';
import { OrganizationRecord, PricingModelRecord } from './record-interfaces.ts';
import { prefixOf } from './type-names.ts';

type ObjectFields<Parent> = PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>;

interface ObjectOptions<Parent, Of> {
  readonly description: string;
  readonly fields: (t: ObjectFields<Parent>) => Of & Shown<Parent, Of>;
}

interface RecordOptions<Parent, Of> extends ObjectOptions<Parent, Of> {
  /** The name of the type, where it is not that of the entity. */
  readonly name?: string;
  /** Those of a record of a pricing model when absent. */
  readonly interfaces?: InterfaceRef<Types, unknown>[];
  readonly id?: { readonly description: string; readonly resolve: (row: Parent) => string };
  readonly loadOne?: (id: string, session: Types['Context']) => Promise<Parent | null>;
}

/** The builder without its generics, whose checks are in `RecordOptions`. */
const nodes = builder as unknown as {
  node<Parent>(
    entity: EntityClass<Parent>,
    options: {
      readonly fields: (t: ObjectFields<Parent>) => object;
      readonly [option: string]: unknown;
    },
  ): ObjectRef<Types, Parent>;
};

/** Defines the type of the records of an entity, each of which is a node with its own id. */
export function record<Parent extends object, Of extends Fields>(
  entity: EntityClass<Parent>,
  { name = entity.name, fields, ...options }: RecordOptions<Parent, Of>,
) {
  return nodes.node<Parent>(entity, {
    name,
    interfaces: [OrganizationRecord, PricingModelRecord],
    id: options.id ?? ownId(prefixOf(name)),
    loadOne: loadOne(entity),
    ...options,
    fields: (t) => built(t, fields(t)),
  });
}

/** Defines a type of objects that are no records: `object<Shape>('Name')({ description, fields })`. */
export const object =
  <Parent>(name: string) =>
  <Of extends Fields>({
    fields,
    ...options
  }: ObjectOptions<Parent, Of>): ObjectRef<Types, Parent> =>
    builder.objectRef<Parent>(name).implement({ ...options, fields: (t) => built(t, fields(t)) });

interface InputOptions<Of> {
  readonly description: string;
  readonly fields: Of;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Defines an input object. */
export const input = <Of extends Inputs>(
  name: string,
  { fields, ...options }: InputOptions<Of>,
): InputObjectRef<Types, Given<Of>> =>
  builder.inputType(name, {
    ...options,
    fields: (t) => mapped(fields, (field) => t.field(optionsOf(field))),
  }) as unknown as InputObjectRef<Types, Given<Of>>;
