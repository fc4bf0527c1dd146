import type { z } from 'zod';
import type { Issue } from '#domain/kernel/errors.ts';
import { type IssueCode, issueCodes } from '#domain/kernel/issue-codes.ts';
import { required } from './plain-words.ts';

/** For `.refine` and `addIssue`: the field, the message, and the code, which zod's own rules have by their kind. */
export const coded = (code: IssueCode, path: string | readonly PropertyKey[], message: string) => ({
  path: typeof path === 'string' ? [path] : [...path],
  message,
  params: { issueCode: code },
});

type Given = Readonly<Record<string, unknown>>;

/** For `.refine`: exactly one of several fields is given. Descriptions of the input find the names in the rule. */
export const exactlyOne = (
  names: readonly [string, string, ...string[]],
): [(input: Given) => boolean, ReturnType<typeof coded>] => {
  const message =
    names.length === 2
      ? `give either ${names.join(' or ')}`
      : `give exactly one of ${names.join(', ')}`;
  const rule = coded('INVALID', names[0], message);
  const params = { ...rule.params, exactlyOne: names };
  return [(input) => names.filter((name) => input[name] != null).length === 1, { ...rule, params }];
};

/** The rules `exactlyOne` of an input. */
export const choicesOf = (input: z.core.$ZodType): readonly (readonly string[])[] =>
  (input._zod.def.checks ?? []).flatMap((check) => {
    const { params } = check._zod.def as { params?: { exactlyOne?: readonly string[] } };
    return params?.exactlyOne ? [params.exactlyOne] : [];
  });

type ZodIssue = Pick<z.core.$ZodIssue, 'code' | 'path' | 'message'>;

/** A violation of an input's rules as an issue. */
export const issueOf = (issue: ZodIssue): Issue => ({
  code: codeOf(issue),
  path: issue.path.map((key) => (typeof key === 'number' ? key : String(key))),
  message: issue.message,
});

function codeOf(issue: ZodIssue): IssueCode {
  const { origin, params } = issue as { origin?: string; params?: { issueCode?: unknown } };
  const isLength = origin === 'string' || origin === 'array' || origin === 'set';
  switch (issue.code) {
    case 'too_big':
      return isLength ? 'TOO_LONG' : 'OUT_OF_RANGE';
    case 'too_small':
      return isLength ? 'TOO_SHORT' : 'OUT_OF_RANGE';
    case 'not_multiple_of':
      return 'OUT_OF_RANGE';
    case 'unrecognized_keys':
      return 'NOT_ALLOWED';
    case 'invalid_type':
    case 'invalid_value':
    case 'invalid_union':
      return issue.message === required ? 'REQUIRED' : 'INVALID';
    default:
      return issueCodes.find((known) => known === params?.issueCode) ?? 'INVALID';
  }
}
