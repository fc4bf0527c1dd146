import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { sendSignal } from '../../support/fleet/send-signal.ts';
import type { Running } from '../../support/process.ts';
import type { Random } from '../../support/random.ts';
import type { DatabaseProxy } from './database-proxy.ts';

/** The targets of a fault: the network, the database and the processes. */
interface Targets {
  readonly proxies: readonly DatabaseProxy[];
  readonly services: () => readonly Running[];
  /** Replaces a process by a new one on the same port number or another. */
  readonly restart: (place: number) => Promise<void>;
  /** A connection of an outsider, past the proxies. */
  readonly outsider: pg.Client;
  readonly database: string;
  readonly random: Random;
}

type Fault = (targets: Targets) => Promise<unknown>;

const lockable = [
  'select from subscription for update',
  'select from customer for update',
  'lock table reservation in exclusive mode',
  'lock table resource_claim in exclusive mode',
  'lock table usage_event_key in exclusive mode',
  'lock table idempotency_key in exclusive mode',
  'lock table event in exclusive mode',
  'lock table sandbox_charge in exclusive mode',
  'lock table cron_run in exclusive mode',
];

/** Faults by name, each lasting as long as its promise. All of them leave the world as it was. */
export const faults: Readonly<Record<string, Fault>> = {
  'all connections of a process are cut': async ({ proxies, random }) => random.one(proxies).cut(),

  'some connections of each process are cut': async ({ proxies, random }) => {
    for (const proxy of proxies) proxy.cut(() => random.next() < 0.4);
  },

  'the database refuses connections after a cut': async ({ proxies, random }) => {
    const proxy = random.one(proxies);
    proxy.refuse(true);
    proxy.cut();
    await sleep(random.whole(100, 1_500));
    proxy.refuse(false);
  },

  'the network swallows the connections there are': async ({ proxies, random }) =>
    random.one(proxies).swallow(),

  'the network delays all packets': async ({ proxies, random }) => {
    const proxy = random.one(proxies);
    proxy.pause();
    await sleep(random.whole(200, 2_500));
    proxy.resume();
  },

  'the packets of some connections are overtaken by those of others': async ({
    proxies,
    random,
  }) => {
    const proxy = random.one(proxies);
    const release = proxy.hold(() => random.next() < 0.5);
    await sleep(random.whole(50, 1_000));
    release();
  },

  'an administrator terminates backends': async ({ outsider, database, random }) => {
    const share = random.one([0.3, 1]);
    await outsider.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = $1 and application_name = 'tollgate' and random() < $2`,
      [database, share],
    );
  },

  'a backend within a transaction is frozen': async ({ outsider, database, random }) => {
    const { rows } = await outsider.query(
      `select pid from pg_stat_activity where datname = $1 and application_name = 'tollgate'
         and xact_start is not null order by random() limit 1`,
      [database],
    );
    if (!rows[0]) return;
    sendSignal(rows[0].pid, 'SIGSTOP');
    await sleep(random.whole(300, 3_000));
    sendSignal(rows[0].pid, 'SIGCONT');
  },

  'an outsider locks rows or a table': async ({ outsider, random }) => {
    await outsider.query('begin');
    try {
      await outsider.query(`set local lock_timeout = '2s'`);
      await outsider.query(random.one(lockable));
      await sleep(random.whole(300, 2_500));
    } catch (error) {
      // Who is too late for a lock, or is chosen to end a deadlock, goes away without it.
      if (!['55P03', '40P01'].includes(String((error as { code?: string }).code))) throw error;
    } finally {
      await outsider.query('rollback');
    }
  },

  'the database is read-only for new connections': async ({ outsider, database, random }) => {
    await outsider.query(`alter database ${database} set default_transaction_read_only = on`);
    await terminateAll(outsider, database);
    await sleep(random.whole(300, 1_500));
    await outsider.query(`alter database ${database} reset default_transaction_read_only`);
    await terminateAll(outsider, database);
  },

  'a process is frozen': async ({ services, random }) => {
    const service = random.one(services());
    service.kill('SIGSTOP');
    await sleep(random.whole(200, 2_500));
    service.kill('SIGCONT');
  },

  'a process is killed and started again': async ({ services, restart, random }) => {
    await restart(random.whole(0, services().length - 1));
  },
};

async function terminateAll(outsider: pg.Client, database: string) {
  await outsider.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = $1 and application_name = 'tollgate'`,
    [database],
  );
}
