import type { z } from 'zod';
import type { Issue } from './errors.ts';
import { type IssueCode, issueCodes } from './issue-codes.ts';

/** For `.refine` and `addIssue`: the field, the message, and the code, which zod's own rules have by their kind. */
export const coded = (code: IssueCode, path: string | readonly PropertyKey[], message: string) => ({
  path: typeof path === 'string' ? [path] : [...path],
  message,
  params: { issueCode: code },
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
      return issue.message.endsWith('received undefined') ? 'REQUIRED' : 'INVALID';
    default:
      return issueCodes.find((known) => known === params?.issueCode) ?? 'INVALID';
  }
}
