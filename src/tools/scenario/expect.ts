import { type Difference, differences, missing } from './compare.ts';
import { queryOf } from './operations.ts';
import { resolved } from './references.ts';
import { refused } from './refusals.ts';
import type { Expectation, Values } from './scenario.ts';
import type { Run } from './steps.ts';

/** The differences between what is expected and what a query finds now. Errors: ScenarioError. */
export async function expect(
  expectation: Expectation,
  { service: { schema, call }, results }: Run,
): Promise<Difference[]> {
  const { field, line, count } = expectation;
  const { args, is, include } = resolved(expectation, results, line);
  const answer = await call(queryOf(schema, { ...expectation, is, include }, args));
  if (answer.errors) return [refused(field, answer)];
  const result = answer.data?.[field] as Values;
  return [
    ...(is === undefined ? [] : differences(field, is, result)),
    ...(include === undefined ? [] : missing(field, include, result)),
    ...(count === undefined ? [] : differences(`${field}.count`, count, result.totalCount)),
  ];
}
