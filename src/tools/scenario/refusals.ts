import type { Difference } from './compare.ts';
import type { Refusal } from './scenario.ts';
import type { Answer } from './service.ts';

/** The difference where a step that must succeed is refused. */
export const refused = (path: string, answer: Answer): Difference => ({
  path,
  expected: 'success',
  actual: `a refusal: ${reasonOf(answer)}`,
});

/** The difference where a step that must be refused succeeds, or is refused for another reason. */
export function refusedOtherwise(
  path: string,
  fails: Refusal,
  answer: Answer,
): Difference | undefined {
  const expected = `a refusal: ${[fails.code, fails.message].filter(Boolean).join(', ')}`;
  if (!answer.errors) return { path, expected, actual: 'success' };
  const codes = answer.errors.flatMap(({ extensions }) => [
    extensions?.code,
    ...(extensions?.issues ?? []).map(({ code }) => code),
  ]);
  const { code, message } = fails;
  // A service that could not answer has refused nothing.
  const isAnswer = !codes.includes('SERVICE_UNAVAILABLE');
  const hasCode = code === undefined ? isAnswer : codes.includes(code);
  const hasMessage = message === undefined || reasonOf(answer).includes(message);
  if (hasCode && hasMessage) return undefined;
  return { path, expected, actual: `a refusal: ${reasonOf(answer)}` };
}

/** The codes and messages of an answer's errors, in one line. */
export const reasonOf = ({ errors = [] }: Answer): string =>
  errors
    .map(({ message, extensions }) => {
      const others = (extensions?.issues ?? []).flatMap(
        ({ code, message: text = '', path = [] }) =>
          message.includes(text) ? code : [code, `${path.join('.')} ${text}`.trim()],
      );
      return [...new Set([extensions?.code, message, ...others].filter(Boolean))].join(', ');
    })
    .join('; ');
