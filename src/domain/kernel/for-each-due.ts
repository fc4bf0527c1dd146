import type { EntityManager } from '@mikro-orm/postgresql';
import { isAbsent } from './absent-organizations.ts';
import { AnswerWaits } from './answer-wait.ts';
import type { OnFailure } from './failures.ts';
import { inLanes } from './in-lanes.ts';
import { openSession, report, type Session } from './session.ts';

/** A row that a sweep works on, with its tenant. */
export interface DueRow {
  readonly id: string;
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly livemode: boolean;
}

/** The circumstances of a sweep: its instant, its cause, and the receiver of failures. */
export interface Sweep {
  readonly em: EntityManager;
  readonly now: Date;
  /** The name of the job, or of its run: the name, a space and the due time. */
  readonly causeId: string;
  readonly onFailure: OnFailure;
}

/** The rows of a sweep, of every tenant, page by page. */
export interface DuePages<Row extends DueRow> {
  /** Reads or claims the next page, after the last row of the page before. */
  readonly page: (last: Row | undefined) => Promise<Row[]>;
  /** The rows of a full page. A shorter page is the last one; without a size there is only one page. */
  readonly pageSize?: number;
  /** How many rows are worked on at a time; 1 when absent. */
  readonly workers?: number;
  /** Rows of a page with the same key are worked on in their order, by one worker. */
  readonly keyOf?: (row: Row) => string;
}

/**
 * Reads the only page of a sweep. `rest` is the statement after its columns, in which `due` is the table of the rows.
 */
export const onlyPage =
  (em: EntityManager, rest: string, values: readonly unknown[]) => (): Promise<DueRow[]> =>
    em.execute<DueRow[]>(
      `select due.id, due.organization_id as "organizationId", due.pricing_model_id as "pricingModelId", due.livemode
       ${rest}`,
      [...values],
    );

/** The pages of a sweep in the order of the ids of its rows. `rest` is as for `onlyPage`, and ends with a condition. */
export const pagesById = (
  em: EntityManager,
  rest: string,
  values: readonly unknown[],
  pageSize = 100,
): DuePages<DueRow> => ({
  page: (last) => {
    const after = `${rest} and due.id > ? order by due.id limit ${pageSize}`;
    return onlyPage(em, after, [...values, last?.id ?? ''])();
  },
  pageSize,
});

/**
 * Works on due rows of every tenant, each with a session of its own tenant. A row that fails is reported to
 * `onFailure` and does not stop the others. Rows of an organization that is being moved are left. The rows of one
 * organization share the time for which they may wait for another service. Returns how many rows there were, with those
 * that failed.
 */
export async function forEachDue<Row extends DueRow>(
  sweep: Sweep,
  { page, pageSize, workers = 1, keyOf = ({ id }) => id }: DuePages<Row>,
  work: (session: Session, row: Row) => Promise<unknown>,
): Promise<number> {
  const waits = new AnswerWaits();
  const attempt = async (row: Row) => {
    const session = sessionFor(sweep, row);
    waits.share(session.cause, row.organizationId);
    await work(session, row).catch((error) => report(session, row.id, error));
  };
  let rows: Row[] = [];
  let count = 0;
  do {
    rows = await page(rows.at(-1));
    const present = rows.filter(({ organizationId }) => !isAbsent(sweep.em, organizationId));
    const groups = Map.groupBy(present, keyOf).values();
    const workThrough = async () => {
      for (const group of groups) for (const row of group) await attempt(row);
    };
    await inLanes(workers, workThrough);
    count += rows.length;
  } while (rows.length === pageSize);
  return count;
}

/** A sweep as jobs call it. Returns how many rows there were. */
export type DueSweep = (
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
) => Promise<number>;

/** The sweep that does `work` on each row of the pages that are due at its instant, as \`forEachDue\`. */
export const dueSweep =
  <Row extends DueRow>(
    pagesAt: (em: EntityManager, now: Date) => DuePages<Row>,
    work: (session: Session, row: Row) => Promise<unknown>,
  ): DueSweep =>
  (em, now, causeId, onFailure) =>
    forEachDue({ em, now, causeId, onFailure }, pagesAt(em, now), work);

/** A session of the tenant of a row, for the work on it. */
export function sessionFor({ em, causeId, ...scope }: Sweep, row: DueRow): Session {
  const [job = causeId] = causeId.split(' ');
  const run = { causeId: job, ...(job !== causeId && { cronRunId: causeId }) };
  const { id, organizationId, pricingModelId, livemode } = row;
  const tenant = { organizationId, pricingModelId, livemode, keyType: 'secret' } as const;
  return openSession(em, { ...tenant, ...scope, ...run, subjectId: id });
}
