import { invalid } from '#domain/kernel/errors.ts';
import { defaultPageSize, maximalPageSize, type Page } from '#domain/kernel/page.ts';
import { countsBelow, rowsBelow } from '#domain/kernel/pages-below.ts';
import type { Session } from '#domain/kernel/session.ts';
import { allOf, type Condition } from '#domain/kernel/where.ts';
import { sequenceCommitted } from '#domain/rules/feed/sequence-events.ts';
import { Event } from './event.ts';

export const auditOrders = ['sequence_asc', 'sequence_desc'] as const;

/** The arguments of a list of events of the audit log; the cursor of an event is its sequence. */
export interface AuditInput {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly orderBy?: (typeof auditOrders)[number] | null | undefined;
}

interface Reading {
  readonly size: number;
  readonly isBackward: boolean;
  readonly condition: Condition;
  readonly orderBy: { readonly sequence: 'asc' | 'desc' };
}

/**
 * A page of all stored events, also of those that the feed no longer shows. Errors: BAD_REQUEST for a size outside
 * 1–100 and for an invalid cursor.
 */
export async function auditPage(
  session: Session,
  input: AuditInput,
  where?: Condition,
): Promise<Page<Event>> {
  const { em } = session;
  await sequenceCommitted(em);
  const { condition, orderBy, size } = readingOf(input);
  const wanted = allOf([condition, where]) as object;
  const rows = await em.find(Event, wanted, { orderBy, limit: size + 1 });
  return pageOf(input, rows, () =>
    em.count(Event, allOf([{ sequence: { $ne: null } }, where]) as object),
  );
}

/** The column of `event` that leads to a parent: the object, or the cause. */
export type AuditColumn = 'object_id' | 'cause';

/** The first or last page of each of several parents, in one statement. Errors: those of `auditPage`. */
export async function auditPagesBelow(
  session: Session,
  column: AuditColumn,
  parents: readonly string[],
  input: AuditInput,
): Promise<Map<string, Page<Event>>> {
  await sequenceCommitted(session.em);
  const { condition, orderBy, size } = readingOf(input);
  const property = column === 'cause' ? 'cause' : 'objectId';
  const parent = { property, column };
  const rows = await rowsBelow(session, Event, parent, parents, {
    condition,
    orderBy,
    limit: size + 1,
  });
  let totals: Promise<Map<string, number>> | undefined;
  const countOf = async (id: string) => {
    totals ??= countsBelow(session, Event, parent, parents, { sequence: { $ne: null } });
    return (await totals).get(id) ?? 0;
  };
  return new Map(parents.map((id) => [id, pageOf(input, rows.get(id) ?? [], () => countOf(id))]));
}

function readingOf({ first, after, last, before, orderBy }: AuditInput): Reading {
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

function pageOf(
  input: AuditInput,
  rows: readonly Event[],
  totalCount: () => Promise<number>,
): Page<Event> {
  const { size, isBackward } = readingOf(input);
  const hasMore = rows.length > size;
  const nodes = isBackward ? rows.slice(0, size).toReversed() : rows.slice(0, size);
  const edges = nodes.map((node) => ({ cursor: String(node.sequence), node }));
  const startCursor = edges[0]?.cursor ?? null;
  const endCursor = edges.at(-1)?.cursor ?? null;
  return {
    edges,
    pageInfo: {
      hasNextPage: isBackward ? input.before != null : hasMore,
      hasPreviousPage: isBackward ? hasMore : input.after != null,
      startCursor,
      endCursor,
    },
    hasMore,
    currentCursor: (isBackward ? input.before : input.after) ?? null,
    nextCursor: hasMore ? (isBackward ? startCursor : endCursor) : null,
    totalCount,
  };
}

function sequenceIn(text: string, name: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalid('INVALID', name, 'must be the cursor of an event, a whole number');
}
