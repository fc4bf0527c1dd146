import { readdir, truncate } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import type { Step } from '#server/history/archive-month.ts';
import { checkHistory } from '#server/history/check-history.ts';
import { checkHistoryFolder } from '../../../../src/tools/doctor/check-history-folder.ts';
import { spawnProgram } from '../../../support/process.ts';
import { aHistoryFolder, archive, recordedIn } from '../../../support/servers/history.ts';
import { aSmallDisk, noDiskReason } from '../../../support/servers/small-disk.ts';
import { aTenant } from '../../../support/tenant.ts';
import { apiOf, graphqlOf, systemTest as test } from '../../../support/test.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

/** A subscription with events of an old month and of this one. */
async function oldUsage(session: Session, month: string) {
  const user = await aMeteredSubscription(session);
  const properties = { text: 'x"y\n,\t\\ é', n: 1.5, deep: { list: [1, 'two', null] } };
  const old = await use(session, user, { amount: '7', properties }, { amount: '2.50' });
  const [present] = await use(session, user, 8);
  const ids = old.map(({ id }) => id);
  await recordedIn(session, month, ids);
  return { user, old, ids, present };
}

const withoutDisk = await noDiskReason();
const skipped = withoutDisk ? ` (skipped: ${withoutDisk})` : '';

const filesOf = async (folder: string) =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.parquet'));

describe('usage events in files', () => {
  test('are listed, counted and read as before', async ({ session, api }) => {
    const folder = await aHistoryFolder();
    const { ids } = await oldUsage(session, '2021-01');
    const paths = ['/usage-events', '/usage-events?limit=1', `/usage-events/${ids[0]}`];
    const read = () => Promise.all(paths.map((path) => api('GET', path)));
    const before = await read();
    expect(before[0]?.body.total).toBe(3);
    expect(await archive(session, folder)).toContain('usage_event_2021_01');
    expect((await read()).map(({ body }) => body)).toEqual(before.map(({ body }) => body));
    const cursor = before[1]?.body.nextCursor;
    const rest = await api('GET', `/usage-events?limit=2&cursor=${cursor}`);
    expect(rest.body.data).toEqual(before[0]?.body.data.slice(1));
    const { organizationId } = session;
    expect(await filesOf(folder)).toEqual([
      expect.stringMatching(
        new RegExp(`^${organizationId}/test/usage-events-2021-01-[0-9a-f]{16}\\.parquet$`),
      ),
    ]);
  });

  test('are known when they are reported again, and refuse corrections', async ({
    session,
    api,
  }) => {
    const folder = await aHistoryFolder();
    const { user, old } = await oldUsage(session, '2021-02');
    await archive(session, folder);
    const [event] = old;
    const { id, slug } = user;
    const again = { subscriptionId: id, usageMeterSlug: slug, amount: 7 };
    const usageEvent = { ...again, transactionId: event?.transactionId };
    const repeated = await api('POST', '/usage-events', { usageEvent });
    expect(repeated.body).toMatchObject({ usageEvent: { id: event?.id } });
    expect(repeated.headers.get('usage-duplicates')).toBe('1');
    const refused = {
      status: 400,
      body: { message: expect.stringContaining('is in the history') },
    };
    const url = `/usage-events/${event?.id}`;
    expect(await api('POST', `${url}/void`, { reason: 'A mistake' })).toMatchObject(refused);
    const replacement = { usageEvent: { amount: 1, transactionId: 'another' }, reason: 'x' };
    expect(await api('POST', `${url}/replace`, replacement)).toMatchObject(refused);
  });

  test.for(['max', 'last', 'count_distinct_properties', 'sum'] as const)(
    'refuse the correction of a later event that is compared with them (%s)',
    async (aggregationType, { session, api }) => {
      const folder = await aHistoryFolder();
      const user = await aMeteredSubscription(session, { aggregationType });
      const properties = { page: 'a' };
      const [old] = await use(session, user, { amount: '7', properties });
      const [present] = await use(session, user, { amount: '9', properties });
      await recordedIn(session, '2021-05', [old?.id ?? '']);
      await archive(session, folder);
      const url = `/usage-events/${present?.id}`;
      const usageEvent = { amount: 1, transactionId: `another-${aggregationType}`, properties };
      const replace = () => api('POST', `${url}/replace`, { usageEvent, reason: 'x' });
      const remove = () => api('POST', `${url}/void`, { reason: 'A mistake' });
      if (aggregationType === 'sum') {
        expect(await remove()).toMatchObject({ status: 200 });
        return;
      }
      const message = expect.stringContaining('in the history, which corrections cannot compare');
      expect(await replace()).toMatchObject({ status: 400, body: { message } });
      expect(await remove()).toMatchObject({ status: 400, body: { message } });
    },
  );

  test('are seen by their own tenant only, also with its cursors', async ({
    session,
    api,
    graphql,
    gateway,
    database,
  }) => {
    const folder = await aHistoryFolder();
    const { ids } = await oldUsage(session, '2021-03');
    const other = await aTenant(database.orm.em);
    const theirs = await oldUsage(other.session, '2021-03');
    await archive(session, folder);
    expect(await filesOf(folder)).toHaveLength(2);
    const [theirApi, theirGraph] = [apiOf(gateway, other.key), graphqlOf(gateway, other.key)];
    expect((await theirApi('GET', '/usage-events')).body.data).toHaveLength(3);
    expect(await theirApi('GET', `/usage-events/${ids[0]}`)).toMatchObject({ status: 404 });
    const nodes = await theirGraph('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids: [ids[0], theirs.ids[0]],
    });
    expect(nodes.data.nodes).toEqual([null, { id: theirs.ids[0] }]);
    const where = { id: { in: [...ids, ...theirs.ids] } };
    const list =
      'query ($where: UsageEventWhere) { usageEvents(where: $where) { nodes { id } totalCount } }';
    expect((await graphql(list, { where })).data.usageEvents.totalCount).toBe(ids.length);
    const { nextCursor } = (await api('GET', '/usage-events?limit=1')).body;
    expect(await theirApi('GET', `/usage-events?cursor=${nextCursor}`)).toMatchObject({
      status: 400,
    });
  });

  test('are not read from a damaged or missing file, which is found and named', async ({
    session,
    api,
  }) => {
    const folder = await aHistoryFolder();
    const { present } = await oldUsage(session, '2021-04');
    await archive(session, folder);
    const [name = ''] = await filesOf(folder);
    const settings = { historyDir: folder, usageEventMonths: 1, databaseUrl: undefined };
    const doctor = async () =>
      (await checkHistoryFolder(session.em, settings)).filter(({ found }) => found.includes(name));
    const failures: string[] = [];
    const check = () =>
      checkHistory(session.em.fork(), new Date(), folder, (error) => {
        failures.push((error as Error).message);
      });
    await check();
    expect(failures.filter((text) => text.includes(name))).toEqual([]);
    expect(await doctor()).toEqual([]);
    await truncate(path.join(folder, name), 100);
    const answer = await api('GET', '/usage-events');
    expect(answer).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('Usage events of 2021-04 cannot be read') },
    });
    await check();
    expect(failures.filter((text) => text.includes(name))).toHaveLength(1);
    expect(await doctor()).toMatchObject([{ level: 'error' }]);
    // Events of this month do not need the file.
    expect(await api('GET', `/usage-events/${present?.id}`)).toMatchObject({ status: 200 });
  });
});

describe('a month that moves to files', () => {
  const steps: readonly Step[] = ['read', 'written', 'verified', 'kept', 'dropped'];

  test.for(steps)(
    'survives SIGKILL of its process (%s): no event is missing or twice, and a repeat finishes',
    async (step, { session, api, database }) => {
      const folder = await aHistoryFolder();
      const month = `2023-0${steps.indexOf(step) + 1}`;
      await oldUsage(session, month);
      const before = await api('GET', '/usage-events');
      const reached = Promise.withResolvers<void>();
      const settings = {
        DATABASE_URL: database.databaseUrl,
        HISTORY_DIR: folder,
        WAIT_AT: step,
      };
      const writer = spawnProgram(['test/support/servers/archive-steps.ts'], settings, (stdout) => {
        if (stdout.includes(`at ${step}\n`)) reached.resolve();
      });
      await Promise.race([reached.promise, writer.ended()]);
      writer.kill('SIGKILL');
      const { stdout } = await writer.ended();
      expect(stdout).toContain(`at ${step}`);
      expect((await api('GET', '/usage-events')).body).toEqual(before.body);
      const gone = await archive(session, folder);
      const table = `usage_event_${month.replace('-', '_')}`;
      if (step === 'dropped') expect(gone).not.toContain(table);
      else expect(gone).toContain(table);
      expect((await api('GET', '/usage-events')).body).toEqual(before.body);
      expect(await readdir(folder)).not.toContain('.writing');
    },
  );

  test.skipIf(withoutDisk)(
    `stays in its table where the disk is full, and moves when there is room${skipped}`,
    async ({ session, api }) => {
      const folder = await aHistoryFolder();
      await using disk = await aSmallDisk(folder);
      await oldUsage(session, '2023-07');
      const before = await api('GET', '/usage-events');
      await disk.fill();
      await expect(archive(session, folder)).rejects.toThrow(
        'The disk of HISTORY_DIR is full: usage_event_2023_07 stays in the database',
      );
      expect((await api('GET', '/usage-events')).body).toEqual(before.body);
      await disk.clear();
      expect(await archive(session, folder)).toContain('usage_event_2023_07');
      expect((await api('GET', '/usage-events')).body).toEqual(before.body);
    },
  );

  test('stays where an event changes meanwhile, and moves with the change later', async ({
    session,
    api,
  }) => {
    const folder = await aHistoryFolder();
    const { ids } = await oldUsage(session, '2022-06');
    const onStep = async (step: Step) => {
      if (step !== 'written') return;
      const reason = 'A mistake';
      expect(await api('POST', `/usage-events/${ids[0]}/void`, { reason })).toMatchObject({
        status: 200,
      });
    };
    const moved = await archive(session, folder, { onStep });
    expect(moved).not.toContain('usage_event_2022_06');
    expect(await archive(session, folder)).toContain('usage_event_2022_06');
    const { body } = await api('GET', `/usage-events/${ids[0]}`);
    expect(body).toMatchObject({ usageEvent: { id: ids[0] } });
  });

  test('moves once when two processes start at the same time', async ({ session, api }) => {
    const folder = await aHistoryFolder();
    await oldUsage(session, '2022-08');
    const before = await api('GET', '/usage-events');
    const gone = await Promise.all([archive(session, folder), archive(session, folder)]);
    expect(gone.flat().filter((name) => name === 'usage_event_2022_08')).toHaveLength(1);
    expect((await api('GET', '/usage-events')).body).toEqual(before.body);
  });

  test('is no failure for a process that has listed it before another one moves it', async ({
    session,
    api,
  }) => {
    const folder = await aHistoryFolder();
    await oldUsage(session, '2018-01');
    await oldUsage(session, '2018-02');
    const before = await api('GET', '/usage-events');
    let others: string[] | undefined;
    const own = await archive(session, folder, {
      onStep: async (step) => {
        if (step === 'dropped') others ??= await archive(session, folder);
      },
    });
    expect(own).toContain('usage_event_2018_01');
    expect(own).not.toContain('usage_event_2018_02');
    expect(others).toContain('usage_event_2018_02');
    expect((await api('GET', '/usage-events')).body).toEqual(before.body);
  });

  test('stays where its folder cannot be written, or its sums differ', async ({ session, api }) => {
    const folder = await aHistoryFolder();
    const { ids } = await oldUsage(session, '2022-11');
    const before = await api('GET', '/usage-events');
    await expect(archive(session, '/dev/null/history')).rejects.toThrow('ENOTDIR');
    await session.em.execute('update usage_event set amount = amount + 100 where id = ?', [ids[0]]);
    await expect(archive(session, folder)).rejects.toThrow('its total has');
    expect(await filesOf(folder)).toEqual([]);
    await session.em.execute('update usage_event set amount = amount - 100 where id = ?', [ids[0]]);
    expect((await api('GET', '/usage-events')).body).toEqual(before.body);
    expect(await archive(session, folder)).toContain('usage_event_2022_11');
  });
});
