import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { choicesOf, issueOf } from '#domain/kernel/inputs/input-issues.ts';
import { defaultPageSize, maximalPageSize } from '#domain/kernel/lists/slice.ts';

const pageSize = { type: 'integer', minimum: 1, maximum: maximalPageSize };
const pageRanges = {
  type: 'object',
  properties: { first: { ...pageSize, default: defaultPageSize }, last: pageSize },
};

const wrongType = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

const brokenRules = (input: z.ZodType) => async (args: unknown) =>
  ((await input.safeParseAsync(args)).error?.issues ?? [])
    .filter(({ code }) => !wrongType.has(code))
    .map(issueOf);

const rangesOf = (input: z.ZodType) =>
  z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const choices = choicesOf(zodSchema);
      if (choices.length > 0) jsonSchema.choices = choices;
    },
  });

/**
 * Writes each command's input, and the page sizes of each list, as JSON Schema into its field's
 * extensions. Documentation finds there the ranges (lengths, minima, formats) that GraphQL types
 * cannot express, and in `choices` the names of which exactly one is given. The extensions also contain the rules themselves, which find violations other
 * than wrong types; GraphQL finds those.
 */
export function describeRanges(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const input = field.extensions.pothosOptions?.validate?.schema;
    if (!input) continue;
    const ranges = rangesOf(input);
    field.extensions = { ...field.extensions, ranges, broken: brokenRules(input) };
  }
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const isList = field.args.some(({ name }) => name === 'first');
    if (isList) field.extensions = { ...field.extensions, ranges: pageRanges };
  }
  return schema;
}
