import type { ObjectParam, OutputShape } from '@pothos/core';
import { builder } from './builder.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

/** The name of the type that a mutation answers. */
export const payloadName = (mutation: string) =>
  `${mutation.replace(/^./, (letter) => letter.toUpperCase())}Payload`;

/**
 * The answer of a mutation that changes one object: a field with the object, by the name of its type. The object is also
 * the source of the answer, so a resolver returns what its command does. Another field can follow without a break.
 */
export const payload = <Param extends ObjectParam<Types>>(
  mutation: string,
  type: Param,
  description: string,
) =>
  builder.objectRef<OutputShape<Types, Param>>(payloadName(mutation)).implement({
    description: `The result of \`${mutation}\`.`,
    fields: (t) => {
      const { name } = builder.configStore.getTypeConfig(type as never);
      const noun = name.replace(/^./, (letter) => letter.toLowerCase());
      return { [noun]: t.field({ type, description, resolve: (object) => object as never }) };
    },
  });
