import type { Parts } from './variables.ts';

/** The part of a list's document that its envelope is made of. */
export const pageSelection = 'pageInfo { hasNextPage endCursor }';

/** The names of variables that take the cursor of a page. */
const cursors = ['cursor', 'after'] as const;

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

type Answered = Record<string, unknown>;

/**
 * The envelope of a list, which states the cursor that was sent and the next one instead of the `pageInfo` of the graph; any
 * other answer as it is.
 */
export function inEnvelope(answer: Answered, values: Answered): Answered {
  if (!('pageInfo' in answer)) return answer;
  const { data, total, pageInfo } = answer;
  const { hasNextPage, endCursor } = pageInfo as PageInfo;
  return {
    data,
    hasMore: hasNextPage,
    ...(total !== undefined && { total }),
    currentCursor: cursors.map((name) => values[name]).find((cursor) => cursor != null),
    nextCursor: hasNextPage ? endCursor : undefined,
  };
}

/** The header `Link` to the next page of a list with the same conditions, RFC 8288; undefined after the last page. */
export function nextPage(
  { nextCursor }: Answered,
  { pathname, query }: Pick<Parts, 'pathname' | 'query'>,
  variables: readonly { readonly name: string }[],
): string | undefined {
  const name = cursors.find((name) => variables.some((variable) => variable.name === name));
  if (!pathname || !name || typeof nextCursor !== 'string') return undefined;
  const next = new URLSearchParams(query);
  next.set(name, nextCursor);
  return `<${pathname}?${next}>; rel="next"`;
}
