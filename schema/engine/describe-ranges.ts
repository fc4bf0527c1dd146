import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { issueOf } from '#domain/kernel/input-issues.ts';
import { defaultPageSize, maximalPageSize } from '#domain/kernel/slice.ts';

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

/**
 * Writes each command's input, and the page sizes of each list, as JSON Schema into its field's
 * extensions. Documentation finds there the ranges (lengths, minima, formats) that GraphQL types
 * cannot express. The extensions also contain the rules themselves, which find violations other
 * than wrong types; GraphQL finds those.
 */
export function describeRanges(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const input = field.extensions.pothosOptions?.validate?.schema;
    if (!input) continue;
    const ranges = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    field.extensions = { ...field.extensions, ranges, broken: brokenRules(input) };
  }
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const isList = field.args.some(({ name }) => name === 'first');
    if (isList) field.extensions = { ...field.extensions, ranges: pageRanges };
  }
  return schema;
}
