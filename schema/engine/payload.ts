import type { ObjectParam } from '@pothos/core';
import { builder, type Types } from './builder.ts';

/** The name of the type that a mutation answers. */
export const payloadName = (mutation: string) =>
  `${mutation.replace(/^./, (letter) => letter.toUpperCase())}Payload`;

/**
 * The answer of a mutation that changes one object: a field with the object, by the name of its type. The object is also
 * the source of the answer, so a resolver returns what its command does. Another field can follow without a break.
 */
export const payload = (mutation: string, type: ObjectParam<Types>, description: string) =>
  builder.objectRef<object>(payloadName(mutation)).implement({
    description: `The result of \`${mutation}\`.`,
    fields: (t) => {
      // The type of the row is that of the object, which only the caller knows.
      const { name } = builder.configStore.getTypeConfig(type);
      const noun = name.replace(/^./, (letter) => letter.toLowerCase());
      return { [noun]: t.field({ type, description, resolve: (row) => row as never }) };
    },
  });
