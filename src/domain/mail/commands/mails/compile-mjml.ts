import type { Engine } from 'mrml';
import { lazyPackage } from '#lazy-package';

const mrml = lazyPackage<typeof import('mrml')>('mrml');

/** A problem of a template, with its line where it is known. */
export interface TemplateProblem {
  readonly line: number | undefined;
  readonly reason: string;
}

/** The elements of MJML that a template may have; others would disappear without a word. */
const elements = new Set(
  `mjml mj-accordion mj-accordion-element mj-accordion-text mj-accordion-title mj-all mj-attributes mj-body
    mj-breakpoint mj-button mj-carousel mj-carousel-image mj-class mj-column mj-divider mj-font mj-group mj-head
    mj-hero mj-image mj-navbar mj-navbar-link mj-preview mj-raw mj-section mj-social mj-social-element mj-spacer
    mj-style mj-table mj-text mj-title mj-wrapper`.split(/\s+/),
);

/** The deepest nesting of elements: the compiler descends into each. */
const deepest = 100;

/** The compiler writes up to a kilobyte for each of its elements, and no other request is served meanwhile. */
const mostElements = 1_000;

/** Compiles MJML to HTML; a problem where it cannot be read. Variables stay as they are. */
export function compileMjml(source: string): { html: string } | TemplateProblem {
  const problem = wrongElement(source) ?? tooDeep(source);
  if (problem) return problem;
  const engine = new (mrml().Engine)();
  try {
    const result = engine.toHtml(source);
    if (result.type === 'success') return { html: result.content };
    return {
      line: lineOf(source, result),
      reason: result.message.replace(/ in root template.*/, ''),
    };
  } catch (error) {
    return { line: undefined, reason: `cannot be compiled: ${(error as Error).message}` };
  } finally {
    engine.free();
  }
}

/** The line of a place in a text, from 1. */
export const lineAt = (text: string, place: number): number =>
  text.slice(0, place).split('\n').length;

function wrongElement(source: string): TemplateProblem | undefined {
  let elementsSoFar = 0;
  for (const { 1: name = '', index } of source.matchAll(/<(mj[\w-]*)/g)) {
    elementsSoFar += 1;
    if (elementsSoFar > mostElements) {
      const reason = `has more than ${mostElements.toLocaleString('en')} elements of MJML`;
      return { line: lineAt(source, index), reason };
    }
    if (elements.has(name)) continue;
    const reason =
      name === 'mj-include'
        ? 'has the element mj-include: a template includes no file'
        : `has the element ${name}, which MJML does not have`;
    return { line: lineAt(source, index), reason };
  }
  return undefined;
}

/** A tag that begins within another one is read anew: the time grows with the text only. */
const tags = /<(\/?)[A-Za-z][^<>]*>/g;

function tooDeep(source: string): TemplateProblem | undefined {
  let depth = 0;
  for (const { 0: tag, 1: end, index } of source.matchAll(tags)) {
    if (end) depth -= 1;
    else if (!tag.endsWith('/>')) depth += 1;
    if (depth > deepest) {
      return { line: lineAt(source, index), reason: `has more than ${deepest} nested elements` };
    }
  }
  return undefined;
}

type Failure = Extract<ReturnType<Engine['toHtml']>, { type: 'error' }>;

/** The compiler states a place in bytes, or a line and a column in its text. */
function lineOf(source: string, failure: Failure): number | undefined {
  if (failure.origin !== 'parser') return undefined;
  const { details } = failure;
  if ('position' in details) {
    const before = Buffer.from(source).subarray(0, details.position.start).toString('utf8');
    return lineAt(before, before.length);
  }
  if (details.type === 'end-of-stream') return lineAt(source, source.length);
  if (details.type !== 'parser-error') return undefined;
  const [, line] = /at (\d+):\d+/.exec(details.source) ?? [];
  return line === undefined ? undefined : Number(line);
}
