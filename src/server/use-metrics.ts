import { createHash, timingSafeEqual } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Plugin } from 'graphql-yoga';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { countDifferences } from '#domain/processors/count-differences.ts';
import { databaseFailure, logged } from './database/failure.ts';
import type { Logger } from './logger.ts';

/**
 * `GET /metrics` for Prometheus, for a caller with the token; without a token no such page exists. The numbers concern
 * all organizations, so no API key leads to them.
 */
export function useMetrics(orm: MikroORM, logger: Logger, token: string | undefined): Plugin {
  if (token === undefined) return {};
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addDifferences(registry, orm);
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
      return page().then(([status, text]) =>
        endResponse(
          new Response(text, { status, headers: { 'content-type': registry.contentType } }),
        ),
      );
    },
  };

  async function page(): Promise<readonly [status: number, text: string]> {
    try {
      return [200, await registry.metrics()];
    } catch (error) {
      if (databaseFailure(error) === undefined) throw error;
      logger.warn(logged(error), 'The metrics could not be read');
      return [503, '# The database is busy or unavailable; try again\n'];
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
