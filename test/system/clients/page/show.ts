import type { CombinedError } from '@urql/core';

/** The element with an id. */
export function element<T extends Element = HTMLElement>(id: string): T {
  const found = document.querySelector<T>(`#${id}`);
  if (!found) throw new Error(`The page has no element ${id}`);
  return found;
}

/** Replaces the items of a list. */
export function showLines(id: string, lines: readonly string[]) {
  element(id).replaceChildren(
    ...lines.map((line) => {
      const item = document.createElement('li');
      item.textContent = line;
      return item;
    }),
  );
}

/**
 * Adds the codes of an error, or its message when the service has not answered. urql emits the last result of live
 * updates again at their end, so a line is added once.
 */
export function showError(where: string, { graphQLErrors, message }: CombinedError) {
  const codes = graphQLErrors.map(({ extensions, message }) => extensions.code ?? message);
  const shown = [...element('errors').children].map(({ textContent }) => textContent);
  showLines('errors', [...new Set([...shown, `${where}: ${codes.join() || message}`])]);
}

export const money = (amount: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);

/** A message of a live list. */
interface Change<T> {
  readonly kind: 'snapshot' | 'entered' | 'changed' | 'left';
  readonly ids: readonly string[];
  readonly nodes: readonly T[];
}

/** The rows of a live list after a message. */
export function applied<T extends { readonly id: string }>(
  rows: readonly T[],
  { kind, ids, nodes }: Change<T>,
): T[] {
  const kept = kind === 'snapshot' ? [] : rows.filter(({ id }) => !ids.includes(id));
  return [...kept, ...nodes];
}
