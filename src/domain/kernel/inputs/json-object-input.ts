import { z } from 'zod';
import { coded } from './input-issues.ts';
import { losesKey, lostKey } from './inputs.ts';

/** The largest size of a JSON value of a caller, as text in UTF-8. */
const largestJsonBytes = 8 * 1024;

/** The deepest nesting of lists and objects in it. */
const deepest = 100;

interface Problem {
  readonly message: string;
  readonly isLength: boolean;
}

/** Why the service does not keep a JSON value; undefined when it does. */
export function problemOfJson(value: unknown): Problem | undefined {
  if (isDeeperThan(value, deepest)) return tooLong(`must be at most ${deepest} levels deep`);
  const json = JSON.stringify(value);
  if (losesKey(json)) return { message: lostKey, isLength: false };
  if (Buffer.byteLength(json) > largestJsonBytes)
    return tooLong(`must be at most ${largestJsonBytes} bytes of JSON`);
  if (/\\u0000|\\ud[89a-f][0-9a-f]{2}/i.test(json))
    return { message: 'must contain well-formed text without U+0000', isLength: false };
  return undefined;
}

const tooLong = (message: string): Problem => ({ message, isLength: true });

/** Whether a value is nested deeper than the limit; stops at the limit. */
const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeperThan(part, levels - 1)));

/** A JSON object of a caller, or none. */
export const jsonObjectInput = z.unknown().superRefine((value, { addIssue }) => {
  if (value == null) return;
  if (typeof value !== 'object' || Array.isArray(value)) return addIssue('must be an object');
  const problem = problemOfJson(value);
  if (!problem) return;
  if (!problem.isLength) return addIssue(problem.message);
  addIssue({ code: 'custom', ...coded('TOO_LONG', [], problem.message) });
});
