import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '#config';
import { abortMove } from './abort-move.ts';
import { type CellClient, connectToCell } from './cell-database.ts';
import { checkMove } from './check-move.ts';
import { compare } from './compare.ts';
import { addFence, removeFence } from './fence.ts';
import { depart, freeze, inTime, TooSlow, thaw } from './freeze.ts';
import { handOver } from './hand-over.ts';
import { claimMove, clearState, requireArrival, setState, stateOf } from './move-state.ts';
import { endOfLog, hasReached, publish, unpublish } from './source-side.ts';
import { analyze, raiseSequences, sequencesOf, subscribe, unsubscribe } from './target-side.ts';
import { type TenantTable, tenantTables } from './tenant-tables.ts';
import { type CopyWatch, watchCopy } from './watch-copy.ts';

export interface Move {
  readonly organizationId: string;
  /** This cell's database, as this program reaches it. */
  readonly sourceUrl: string;
  /** The same, as the server of the other cell reaches it. */
  readonly fromUrl: string;
  readonly targetUrl: string;
  /** The name of the other cell. */
  readonly cell: string;
  /** The longest time without the organization. */
  readonly freezeSeconds: number;
  readonly report: (line: string) => void;
  /** Is called at once after the other cell serves the organization: requests are to be led there. */
  readonly onMoved?: (source: CellClient) => Promise<void>;
}

/** A completed move. */
export interface Moved {
  /** How long the organization was not served. */
  readonly frozenMilliseconds: number;
}

const pollMilliseconds = 20;
const copyPollMilliseconds = 250;
const freezeAttempts = 5;
const longestCatchUpMilliseconds = 600_000;
/** Each process asks for absent organizations at least this often, so none reads here once the other cell writes. */
const heardMilliseconds = 1_000;

/**
 * Moves an organization to another cell by logical replication, while it is used. This cell serves it until it has
 * moved, also when this program is killed: its lock ends with its connection. An interrupted move is finished if the
 * organization has left this cell, and begun again if not. Errors: ConfigError with what to do.
 */
export async function moveOrganization(move: Move): Promise<Moved> {
  const { organizationId, cell, report } = move;
  await using opened = new AsyncDisposableStack();
  const source = await connectToCell(move.sourceUrl, 'this cell');
  opened.defer(() => source.end());
  const target = await connectToCell(move.targetUrl, 'the other cell');
  opened.defer(() => target.end());
  await claimMove(source, organizationId);
  if ((await stateOf(source, organizationId)) === 'moved') {
    await claimMove(target, organizationId);
    await requireArrival(source, target, organizationId, cell);
    report('The organization has left this cell: the rest of its move is done now');
    return await arrive(move, source, target);
  }
  const problems = await checkMove(source, target, organizationId);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  await claimMove(target, organizationId);
  await abortMove(source, target, organizationId);
  const copyOf = watchCopy(source, target, organizationId, report);
  try {
    await copy(move, source, target, copyOf);
    const rows = await leave(move, source, target, copyOf);
    report(`Both cells have the same ${rows} rows`);
  } catch (error) {
    // A source that does not answer may have handed over, so nothing is undone.
    if ((await stateOf(source, organizationId).catch(() => 'moved')) !== 'moved') {
      report('The move has failed; the organization stays here');
      await abortMove(source, target, organizationId).catch((failure: Error) =>
        report(`Ending the move has failed: ${failure.message}; tollgate tenant abort ends it`),
      );
    }
    throw error;
  }
  report(`Cell ${cell} serves the organization`);
  return await arrive(move, source, target);
}

/** Copies all rows, and lets changes follow. */
async function copy(move: Move, source: CellClient, target: CellClient, copyOf: CopyWatch) {
  const { organizationId, cell, report } = move;
  report('Preparing both cells');
  await addMonths(source, target);
  await setState(target, organizationId, 'arriving', cell);
  await addFence(target, organizationId);
  await setState(source, organizationId, 'copying', cell);
  await addFence(source, organizationId);
  await publish(source, organizationId);
  await subscribe(target, organizationId, move.fromUrl);
  report('Copying');
  for (let told = 0; ; await sleep(copyPollMilliseconds)) {
    const { tables, ready } = await copyOf();
    if (tables > 0 && ready === tables) break;
    if (performance.now() - told > 5_000) {
      told = performance.now();
      report(`${ready} of ${tables} tables are copied`);
    }
  }
  await analyze(target);
}

/** Months of usage events have tables of their own, also those that were detached. */
async function addMonths(source: CellClient, target: CellClient) {
  const names = (tables: readonly TenantTable[]) =>
    tables.flatMap(({ name, parts }) => [name, ...parts]);
  const known = new Set(names(await tenantTables(target)));
  for (const { name, parts } of await tenantTables(source)) {
    for (const month of [name, ...parts]) {
      const [, year, number] = /^usage_event_(\d{4})_(\d{2})$/.exec(month) ?? [];
      if (!year || known.has(month)) continue;
      known.add(month);
      await target.query('select add_usage_event_month($1::date)', [`${year}-${number}-01`]);
      if (month === name) await target.query('select detach_usage_event_month($1)', [name]);
    }
  }
}

/** Freezes the organization, waits for its last changes, compares, and lets it leave. Returns the number of rows. */
async function leave(
  move: Move,
  source: CellClient,
  target: CellClient,
  copyOf: CopyWatch,
): Promise<number> {
  const { organizationId, cell, report } = move;
  for (let attempt = 1; ; attempt++) {
    await caughtUp(source, organizationId, copyOf);
    const deadline = performance.now() + move.freezeSeconds * 1_000;
    const began = performance.now();
    try {
      await freeze(source, organizationId, cell, move.freezeSeconds);
      const rows = await inTime([source, target], deadline, () =>
        settle(source, target, organizationId, deadline),
      );
      await sleep(Math.max(0, heardMilliseconds - (performance.now() - began)));
      await depart(source, organizationId, performance.now() - began);
      await setState(target, organizationId, 'arrived', cell);
      return rows;
    } catch (error) {
      if (!(error instanceof TooSlow) || attempt === freezeAttempts) throw error;
      report(
        `Not finished in ${move.freezeSeconds} s (${error.message}): the organization is served here, and the step is tried again`,
      );
      await setState(source, organizationId, 'copying', cell);
    } finally {
      await thaw(source, organizationId);
    }
  }
}

/** Waits until the target has everything, compares, and counts there. */
async function settle(
  source: CellClient,
  target: CellClient,
  organizationId: string,
  deadline: number,
): Promise<number> {
  // Numbered here, events do not depend on the numbers of transactions of this server.
  for (const livemode of [false, true]) {
    let given = 1;
    while (given > 0) {
      const { rows } = await source.query<{ given: number }>(
        'select sequence_events(100000, $1, $2) as given',
        [organizationId, livemode],
      );
      given = rows[0]?.given ?? 0;
    }
  }
  const end = await endOfLog(source, organizationId);
  while (!(await hasReached(source, organizationId, end))) {
    if (performance.now() > deadline) throw new TooSlow('the other cell is behind');
    await sleep(pollMilliseconds);
  }
  const { differences, rows } = await compare(source, target, organizationId);
  if (differences.length > 0) {
    throw new ConfigError(`The rows of both cells differ: ${differences.join('; ')}`);
  }
  await target.query('select * from recount_organization($1)', [organizationId]);
  await raiseSequences(target, await sequencesOf(source));
  if (performance.now() > deadline) throw new TooSlow('comparing takes longer');
  return rows;
}

/** Waits until changes arrive within moments. */
async function caughtUp(source: CellClient, organizationId: string, copyOf: CopyWatch) {
  const until = Date.now() + longestCatchUpMilliseconds;
  for (;;) {
    const end = await endOfLog(source, organizationId);
    const began = performance.now();
    while (!(await hasReached(source, organizationId, end))) {
      if (Date.now() > until) {
        throw new ConfigError('The other cell does not catch up with the changes of this one');
      }
      await copyOf();
      await sleep(pollMilliseconds);
    }
    if (performance.now() - began < 1_000) return;
  }
}

/** The rest of a move: requests are led to the other cell, and nothing of the move stays. */
async function arrive(move: Move, source: CellClient, target: CellClient): Promise<Moved> {
  const { organizationId, cell, report, onMoved } = move;
  if ((await stateOf(target, organizationId)) === 'arriving') {
    await setState(target, organizationId, 'arrived', cell);
  }
  await onMoved?.(source);
  await handOver(source, target, organizationId);
  await unsubscribe(target, organizationId);
  await unpublish(source, organizationId);
  await removeFence(target, organizationId);
  await clearState(target, organizationId);
  const { rows } = await source.query<{ frozen: number }>(
    `select coalesce(frozen_milliseconds, 0) as frozen from organization_move where organization_id = $1`,
    [organizationId],
  );
  report('The rows stay here until tollgate tenant remove deletes them');
  return { frozenMilliseconds: rows[0]?.frozen ?? 0 };
}
