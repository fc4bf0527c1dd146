import { createHash, timingSafeEqual } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Plugin } from 'graphql-yoga';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { databaseFailure, logged } from '#domain/kernel/database-failure.ts';
import { countDifferences } from '#domain/money/commands/processors/count-differences.ts';
import type { Logger } from '../observability/logger.ts';
import type { Replicas } from '../replicas/replicas.ts';
import { recordOf } from '../request-log/use-request-log.ts';
import type { OpenUsageStream } from '../usage-stream/open-usage-stream.ts';
import { countCharges } from './count-charges.ts';
import { addDatabaseGauges } from './database-gauges.ts';
import { measurePool } from './measure-pool.ts';
import { measureReplicas } from './measure-replicas.ts';
import { measureRequests } from './measure-requests.ts';
import { measureUsageStream } from './measure-usage-stream.ts';

/** The parts that metrics measure, and the token that reads them. */
export interface MetricsParts {
  readonly orm: MikroORM;
  readonly logger: Logger;
  /** The standbys that serve reads; without any the primary serves all. */
  readonly replicas?: Replicas | undefined;
  /** The stream that accepts usage; without one the database does. */
  readonly usageStream?: Pick<OpenUsageStream, 'isReady' | 'pending'> | undefined;
  /** The token for `/metrics`; without it that page does not exist. */
  readonly metricsToken?: string | undefined;
  /** The name of the cell; none when absent. */
  readonly cell?: string | undefined;
}

/**
 * `GET /metrics` for Prometheus, for a caller with the token; without a token no such page exists. The numbers concern
 * all organizations, so no API key leads to them.
 */
export function useMetrics(
  { orm, logger, replicas, usageStream, metricsToken: token, cell }: MetricsParts,
  routes: readonly { readonly path: string }[],
): Plugin {
  if (token === undefined) return {};
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  measurePool(own, orm);
  if (replicas) measureReplicas(own, replicas);
  if (usageStream) measureUsageStream(own, orm, usageStream);
  if (cell !== undefined) nameCell(own, cell);
  const measure = measureRequests(own, routes);
  const end = countCharges(own);
  const reached = new Gauge({
    name: 'tollgate_database_up',
    help: 'Whether the metrics of the database could be read: 1 or 0',
    registers: [own],
  });
  const shared = new Registry();
  addDifferences(shared, orm);
  addDatabaseGauges(shared, orm);
  const known = digest(`Bearer ${token}`);
  return {
    onRequest({ request, url, fetchAPI: { Response }, endResponse }) {
      if (request.method !== 'GET' || url.pathname.replace(/\/$/, '') !== '/metrics') return;
      if (!timingSafeEqual(digest(request.headers.get('authorization') ?? ''), known)) {
        const headers = { 'www-authenticate': 'Bearer' };
        endResponse(
          new Response('Send Authorization: Bearer <METRICS_TOKEN>\n', { status: 401, headers }),
        );
        return;
      }
      return page().then((text) =>
        endResponse(new Response(text, { headers: { 'content-type': own.contentType } })),
      );
    },
    onResponse({ request, response }) {
      const started = recordOf(request);
      if (!started) return;
      measure({
        method: request.method,
        path: new URL(request.url).pathname,
        status: response.status,
        milliseconds: performance.now() - started.at,
      });
    },
    onDispose: end,
  };

  async function page(): Promise<string> {
    const installation = await ofDatabase();
    reached.set(installation === undefined ? 0 : 1);
    return (await own.metrics()) + (installation ?? '');
  }

  /** Undefined while the database is busy or unavailable: the process is still measured then. */
  async function ofDatabase(): Promise<string | undefined> {
    try {
      return await shared.metrics();
    } catch (error) {
      if (databaseFailure(error) === undefined) throw error;
      logger.warn(logged(error), 'The metrics of the database could not be read');
      return undefined;
    }
  }
}

/** The differences are counted when they are asked for. */
const addDifferences = (registry: Registry, orm: MikroORM) =>
  new Gauge({
    name: 'tollgate_processor_differences',
    help: 'Open differences between the charges of payment processors and the books',
    labelNames: ['kind', 'livemode'],
    registers: [registry],
    async collect() {
      for (const { kind, livemode, count } of await countDifferences(orm.em.fork())) {
        this.set({ kind, livemode: String(livemode) }, count);
      }
    },
  });

const digest = (text: string) => createHash('sha256').update(text).digest();

function nameCell(registry: Registry, cell: string) {
  const help = 'The name of the cell; always 1';
  const info = new Gauge({
    name: 'tollgate_cell_info',
    help,
    labelNames: ['cell'],
    registers: [registry],
  });
  info.set({ cell }, 1);
}
