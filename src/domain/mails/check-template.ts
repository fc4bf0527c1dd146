import { DomainError, type Issue, invalidInput } from '#domain/kernel/errors.ts';
import { compileMjml, lineAt, type TemplateProblem } from './compile-mjml.ts';
import { partsOf } from './fill-in.ts';
import type { MailKind } from './mail-kinds.ts';
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
  try {
    return problemsIn(partsOf(text) as readonly Token[], text, names);
  } catch (error) {
    const { message } = error as Error;
    const [, place = '0'] = / at (\d+)$/.exec(message) ?? [];
    const what = message.replace(/ at \d+$/, '');
    return [
      { line: lineAt(text, Number(place)), reason: `has a variable that is not closed: ${what}` },
    ];
  }
}

function problemsIn(
  tokens: readonly Token[],
  text: string,
  names: readonly string[],
): TemplateProblem[] {
  return tokens.flatMap(([type, value, start, , inner]) => {
    const line = lineAt(text, start);
    const within = Array.isArray(inner) ? problemsIn(inner as Token[], text, names) : [];
    if (type === 'text' || type === '!') return within;
    if (type === '&' || type === '{') {
      const reason = `has ${value} without escaping: write {{${value}}}`;
      return [{ line, reason }, ...within];
    }
    if (type === '>') return [{ line, reason: `has the part ${value}: a template has no parts` }];
    if (type === '=') return [{ line, reason: 'changes the braces of variables' }];
    if (names.includes(value)) return within;
    const reason = `has the unknown variable ${value}; the variables are ${names.join(', ')}`;
    return [{ line, reason }, ...within];
  });
}
