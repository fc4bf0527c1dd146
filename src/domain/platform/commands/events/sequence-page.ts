import { invalid } from '#domain/kernel/errors.ts';
import type { Page } from '#domain/kernel/lists/page.ts';
import { defaultPageSize, maximalPageSize } from '#domain/kernel/lists/slice.ts';
import type { Condition } from '#domain/kernel/lists/where.ts';
import type { Event } from '#domain/model/platform/event.ts';

/** The orders of events: by sequence, the oldest first by default. */
export const sequenceOrders = ['sequence_asc', 'sequence_desc'] as const;

/** The arguments of a list of events; the cursor of an event is its sequence. */
export interface SequenceInput {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly orderBy?: (typeof sequenceOrders)[number] | null | undefined;
}

/** The part of a list of events that a request reads. */
export interface Reading {
  readonly size: number;
  /** Whether the page is the last rows before a cursor, not the first rows after it. */
  readonly isBackward: boolean;
  readonly condition: Condition;
  readonly orderBy: { readonly sequence: 'asc' | 'desc' };
}

/** The part that the arguments mean. Errors: BAD_REQUEST for a size outside 1–100 and for an invalid cursor. */
export function readingOf({ first, after, last, before, orderBy }: SequenceInput): Reading {
  if (first != null && last != null)
    throw invalid('NOT_ALLOWED', 'last', 'cannot be combined with first: give one of the two');
  const isBackward = last != null || (before != null && first == null);
  const size = (isBackward ? last : first) ?? defaultPageSize;
  if (size < 1 || size > maximalPageSize) {
    const name = isBackward ? 'last' : 'first';
    throw invalid('OUT_OF_RANGE', name, `must be from 1 to ${maximalPageSize}`);
  }
  const isDescending = orderBy === 'sequence_desc';
  const [beyond, within] = isDescending ? ['$lt', '$gt'] : ['$gt', '$lt'];
  const condition = {
    sequence: {
      $ne: null,
      ...(after != null && { [beyond as string]: sequenceIn(after, 'after') }),
      ...(before != null && { [within as string]: sequenceIn(before, 'before') }),
    },
  };
  return {
    size,
    isBackward,
    condition,
    orderBy: { sequence: isDescending === isBackward ? 'asc' : 'desc' },
  };
}

/** The page of the rows that a reading has found. */
export function pageOf(
  input: SequenceInput,
  rows: readonly Event[],
  totalCount: () => Promise<number>,
): Page<Event> {
  const { size, isBackward } = readingOf(input);
  const hasMore = rows.length > size;
  const nodes = isBackward ? rows.slice(0, size).toReversed() : rows.slice(0, size);
  const edges = nodes.map((node) => ({ cursor: String(node.sequence), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: isBackward ? input.before != null : hasMore,
      hasPreviousPage: isBackward ? hasMore : input.after != null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount,
  };
}

/** The sequence that a cursor states. Errors: BAD_REQUEST. */
export function sequenceIn(text: string, name: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalid('INVALID', name, 'must be the cursor of an event, a whole number');
}
