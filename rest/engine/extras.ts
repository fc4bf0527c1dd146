import { type DirectiveNode, type DocumentNode, type FieldNode, visit } from 'graphql';
import { refuse } from './errors.ts';
import { withoutUnused } from './fragment.ts';

/** The preference for extra keys: those that the published interface does not have. */
export const includeAll = 'include=all';

/** Whether a directive marks a field as an extra key: `taxIds @extra`. */
const isMark = ({ name }: DirectiveNode) => name.value === 'extra';

/** Whether a field is marked as an extra key. */
export const isExtra = ({ directives = [] }: FieldNode): boolean => directives.some(isMark);

/** A document without its extra keys. */
export const withoutExtras = (document: DocumentNode): DocumentNode =>
  withoutUnused(visit(document, { Field: (node) => (isExtra(node) ? null : undefined) }));

/** A document with its extra keys, as the graph reads it. */
export const withExtras = (document: DocumentNode): DocumentNode =>
  visit(document, { Directive: (node) => (isMark(node) ? null : undefined) });

const mostNamed = 5;

/** Refuses an answer that means something else without its extra keys. Errors: BAD_REQUEST with their paths. */
export function refuseExtras(
  { extraKeys = [] }: { readonly extraKeys?: readonly string[] },
  answer: unknown,
) {
  if (extraKeys.length === 0) return;
  const found = pathsOf(answer, new Set(extraKeys), '');
  if (found.length === 0) return;
  const named = found.slice(0, mostNamed).join(', ') + (found.length > mostNamed ? ', …' : '');
  throw refuse(
    'BAD_REQUEST',
    `The answer has keys that the published interface does not have: ${named}. Send Prefer: ${includeAll} to read it`,
  );
}

function pathsOf(value: unknown, keys: ReadonlySet<string>, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const path = at ? `${at}.${key}` : key;
    return keys.has(key) ? [path] : pathsOf(part, keys, path);
  });
}
