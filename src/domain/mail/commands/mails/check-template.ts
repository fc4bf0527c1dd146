import { DomainError, type Issue, invalidInput, mostIssues } from '#domain/kernel/errors.ts';
import type { MailKind } from '#domain/model/mail/mail-kinds.ts';
import { compileMjml, lineAt, type TemplateProblem } from './compile-mjml.ts';
import { partsOf } from './fill-in.ts';
import { sampleOf } from './sample-variables.ts';
import type { TemplateSource } from './usual-template.ts';

/** The fields of a template that have variables; the plain text may be absent. */
export type TemplateTexts = Pick<TemplateSource, 'subject' | 'mjml'> & {
  readonly text?: string | null | undefined;
};

/**
 * Compiles the body of a template and returns it as HTML with variables. `path` is the field of the input. Errors:
 * BAD_REQUEST with the line and the reason of each problem.
 */
export function checkTemplate(kind: MailKind, texts: TemplateTexts, path: string): string {
  const names = variableNames(kind);
  const problems: (readonly [string, TemplateProblem])[] = [];
  for (const field of ['subject', 'mjml', 'text'] as const) {
    const text = texts[field];
    if (text) problems.push(...problemsOf(text, names).map((each) => [field, each] as const));
  }
  const compiled = compileMjml(texts.mjml);
  if ('html' in compiled && problems.length === 0) return compiled.html;
  if (!('html' in compiled)) problems.push(['mjml', compiled]);
  const issues = problems.map(
    ([field, { line, reason }]): Issue => ({
      code: 'INVALID',
      path: [...path.split('.'), field],
      message: line === undefined ? reason : `line ${line} ${reason}`,
    }),
  );
  throw new DomainError('BAD_REQUEST', invalidInput, { issues });
}

/** The names of the variables of a kind, such as `invoice.number`. */
export const variableNames = (kind: MailKind): readonly string[] =>
  Object.entries(sampleOf(kind, 'en')).flatMap(([object, fields]) =>
    Object.keys(fields).map((field) => `${object}.${field}`),
  );

type Token = readonly [type: string, value: string, start: number, end: number, inner?: unknown];

function problemsOf(text: string, names: readonly string[]): TemplateProblem[] {
  const long = longTag(text);
  if (long !== undefined) {
    const reason = `has a variable that is not closed within ${longestTag} characters`;
    return [{ line: lineAt(text, long), reason }];
  }
  try {
    return firstOf(problemsIn(partsOf(text) as readonly Token[], names), text);
  } catch (error) {
    const { message } = error as Error;
    const [, place = '0'] = / at (\d+)$/.exec(message) ?? [];
    const what = message.replace(/ at \d+$/, '');
    return [
      { line: lineAt(text, Number(place)), reason: `has a variable that is not closed: ${what}` },
    ];
  }
}

const longestTag = 200;

/**
 * The place of a tag that is longer than every variable, or has no end: the library looks for its end from each of its
 * characters.
 */
function longTag(text: string): number | undefined {
  for (let from = text.indexOf('{{'); from !== -1; ) {
    const end = text.slice(from, from + longestTag).indexOf('}}');
    if (end === -1) return from;
    from = text.indexOf('{{', from + end);
  }
  return undefined;
}

interface PlacedProblem {
  readonly place: number;
  readonly reason: string;
}

/** The first problems with their lines; a refusal names no more. */
function firstOf(problems: Iterable<PlacedProblem>, text: string): TemplateProblem[] {
  const found: TemplateProblem[] = [];
  for (const { place, reason } of problems) {
    found.push({ line: lineAt(text, place), reason });
    if (found.length > mostIssues) break;
  }
  return found;
}

function* problemsIn(
  tokens: readonly Token[],
  names: readonly string[],
): Generator<PlacedProblem, void> {
  for (const [type, value, place, , inner] of tokens) {
    const reason = problemOf(type, value, names);
    if (reason) yield { place, reason };
    if (Array.isArray(inner)) yield* problemsIn(inner as Token[], names);
  }
}

function problemOf(type: string, value: string, names: readonly string[]): string | undefined {
  if (type === 'text' || type === '!') return undefined;
  if (type === '&' || type === '{') return `has ${value} without escaping: write {{${value}}}`;
  if (type === '>') return `has the part ${value}: a template has no parts`;
  if (type === '=') return 'changes the braces of variables';
  if (names.includes(value)) return undefined;
  return `has the unknown variable ${value}; the variables are ${names.join(', ')}`;
}
