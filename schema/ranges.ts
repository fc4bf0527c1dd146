import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';

/**
 * Writes each command's input as JSON Schema into its field's extensions, where documentation finds
 * the ranges (lengths, minima, formats) that GraphQL types cannot express.
 */
export function describeRanges(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const options = field.extensions.pothosOptions as { validate?: { schema?: z.ZodType } };
    const input = options?.validate?.schema;
    if (!input) continue;
    const ranges = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    field.extensions = { ...field.extensions, ranges };
  }
  return schema;
}
