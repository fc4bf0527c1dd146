import path from 'node:path';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { connect } from '#server/database/database.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../../system/faults/database-proxy.ts';
import { preparedUrl } from '../database.ts';
import { aLiveSession } from '../factories.ts';
import { type Running, type Settings, startService } from '../process.ts';
import type { Random } from '../random.ts';
import { deliver } from '../stripe/deliver.ts';
import { type FakeStripe, fakeKeys, startFakeStripe } from '../stripe/fake-stripe.ts';
import type { Thing } from '../stripe/state.ts';
import { aKey, aTenant } from '../tenant.ts';
import { type DatabaseTime, movableTime } from './database-time.ts';

const hour = 3_600_000;
/** The end of a log that explains a failure, in characters. */
const logged = 4_000;
const secret = 'whsec_fakeFakeFake';
const onDemand = path.resolve(import.meta.dirname, 'jobs-on-demand.ts');

/** The jobs that move money, and those that find what was missed. */
const moneyJobs = [
  'transition-billing-periods',
  'execute-billing-runs',
  'process-processor-events',
  'check-payments',
  'check-setups',
  'resume-refunds',
  'resume-stuck-runs',
];

/** A process of the service whose jobs run on demand. */
export interface ShopProcess extends Running {
  readonly jobsUrl: string;
}

/** A business in live mode: a database, a copy of Stripe, and processes of the service that a test starts and kills. */
export class LiveShop implements AsyncDisposable {
  readonly databaseUrl: string;
  readonly fake: FakeStripe;
  /** The network between the processes and Stripe. */
  readonly network: DatabaseProxy;
  readonly time: DatabaseTime;
  readonly session: Session;
  readonly key: string;
  readonly random: Random;
  readonly #opened: AsyncDisposableStack;
  #delivered = 0;

  private constructor(
    parts: Pick<
      LiveShop,
      'databaseUrl' | 'fake' | 'network' | 'time' | 'session' | 'key' | 'random'
    >,
    opened: AsyncDisposableStack,
  ) {
    this.databaseUrl = parts.databaseUrl;
    this.fake = parts.fake;
    this.network = parts.network;
    this.time = parts.time;
    this.session = parts.session;
    this.key = parts.key;
    this.random = parts.random;
    this.#opened = opened;
  }

  static async open(random: Random): Promise<LiveShop> {
    const opened = new AsyncDisposableStack();
    const databaseUrl = await preparedUrl();
    const time = opened.use(await movableTime(databaseUrl));
    const fake = opened.use(await startFakeStripe(() => time.now()));
    const network = opened.use(await openDatabaseProxy(fake.url));
    const orm = await connect({ databaseUrl, poolSize: 5 });
    opened.defer(() => orm.close(true));
    const session = await aLiveSession((await aTenant(orm.em)).session);
    const key = await aKey(session, 'secret');
    return new LiveShop({ databaseUrl, fake, network, time, session, key, random }, opened);
  }

  async start(settings: Settings = {}, options: readonly string[] = []): Promise<ShopProcess> {
    const running = await startService(
      {
        DATABASE_URL: this.databaseUrl,
        CRON: 'off',
        // The jobs on demand use the parts of this process.
        TOLLGATE_RUN: 'sources',
        STRIPE_API_BASE: new URL(this.network.databaseUrl).origin,
        ...settings,
      },
      ['--import', onDemand, ...options],
    );
    const [, jobsUrl = ''] = /^Jobs at (.*)$/m.exec(running.stdout()) ?? [];
    const shop = { ...running, jobsUrl };
    await this.run(shop, []);
    return shop;
  }

  /** Runs jobs in a process. Returns their failures; an error when the process dies meanwhile. */
  async run({ jobsUrl }: ShopProcess, names: readonly string[]): Promise<string[]> {
    const answer = await fetch(`${jobsUrl}/?names=${names.join(',')}&now=${this.time.now()}`);
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    return JSON.parse(text);
  }

  async graphql({ url }: ShopProcess, query: string, variables: object = {}) {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the query
    return (await answer.json()) as { data: any; errors?: { message: string }[] };
  }

  /** The same, and an error of the graph fails. */
  async done(service: ShopProcess, query: string, variables: object = {}) {
    const { data, errors } = await this.graphql(service, query, variables);
    // The service logs the reason of what it does not tell its callers.
    expect(errors, service.stdout().slice(-logged)).toBeUndefined();
    return data;
  }

  connectStripe(service: ShopProcess) {
    const query = `mutation ($key: String!, $secret: String!) {
      connectProcessor(kind: stripe, secretKey: $key, webhookSecret: $secret) { processorAccount { id } }
    }`;
    return this.done(service, query, { key: fakeKeys.live, secret });
  }

  /** Delivers most of the new events, in any order and some of them twice. */
  async deliverEvents(service: ShopProcess, share = 0.7) {
    const all = this.fake.live.all('evt').slice(this.#delivered);
    this.#delivered += all.length;
    const kept = all.filter(() => this.random.next() < share);
    const sent = kept.flatMap((event) => (this.random.next() < 0.3 ? [event, event] : [event]));
    for (const event of sent.toSorted(() => this.random.next() - 0.5)) {
      expect(await this.deliver(service, event)).toBe(200);
    }
  }

  deliver({ url }: ShopProcess, event: Thing, signedAt = new Date(this.time.now())) {
    const to: typeof fetch = (address, init) =>
      fetch(String(address).replace('http://test', url), init);
    return deliver(to as never, this.session.organizationId, event, { secret, signedAt });
  }

  /** One round of the jobs; the hours that pass let what was lost become due. */
  async round(service: ShopProcess, passing = 2 * hour) {
    await this.deliverEvents(service);
    await this.run(service, [...moneyJobs, 'reconcile-processors']);
    await this.time.pass(passing);
  }

  async settle(service: ShopProcess, rounds = 5) {
    for (let round = 0; round < rounds; round++) await this.round(service);
  }

  taken(): Thing[] {
    return this.fake.live.all('ch').filter(({ status }) => status === 'succeeded');
  }

  async [Symbol.asyncDispose]() {
    await this.#opened[Symbol.asyncDispose]();
  }
}

export { moneyJobs };
