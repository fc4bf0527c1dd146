import type { Page } from '#domain/kernel/lists/page.ts';
import { countsBelow, rowsBelow } from '#domain/kernel/lists/pages-below.ts';
import { allOf, type Condition } from '#domain/kernel/lists/where.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Event } from '#domain/model/platform/event.ts';
import { sequenceCommitted } from '#domain/platform/feed/sequence-events.ts';
import { pageOf, readingOf, type SequenceInput } from './sequence-page.ts';

/**
 * A page of all stored events, also of those that the feed no longer shows. Errors: BAD_REQUEST for a size outside
 * 1–100 and for an invalid cursor.
 */
export async function auditPage(
  session: Session,
  input: SequenceInput,
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
  input: SequenceInput,
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
