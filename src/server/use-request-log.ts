import type { Plugin } from 'graphql-yoga';
import { statementCount } from './database/statement-count.ts';
import type { Logger } from './logger.ts';

const givenId = /^[0-9A-Za-z_-]{1,64}$/;

interface Started {
  readonly id: string;
  readonly at: number;
}

const requests = new WeakMap<Request, Started>();

/** The id that the request is logged and answered with; what it changes is told with it, too. */
export const requestIdOf = (request: Request | undefined): string | undefined =>
  request && requests.get(request)?.id;

/**
 * Gives every request an id, the caller's own when it sent a usable one, answers it as
 * `X-Request-Id`, and writes one line for it; that of a slow one is a warning, and says how much of its time
 * went by in the database.
 */
export function useRequestLog(logger: Logger, slowMilliseconds: number): Plugin {
  return {
    onRequest({ request }) {
      const given = request.headers.get('x-request-id');
      const id = given && givenId.test(given) ? given : crypto.randomUUID().slice(0, 8);
      requests.set(request, { id, at: performance.now() });
    },
    onResponse({ request, response }) {
      const started = requests.get(request);
      if (!started) return;
      response.headers.set('x-request-id', started.id);
      const milliseconds = performance.now() - started.at;
      const slow = milliseconds >= slowMilliseconds;
      if (!logger.isLevelEnabled(slow ? 'warn' : 'info')) return;
      const line = {
        requestId: started.id,
        method: request.method,
        path: pathOf(request.url),
        status: response.status,
        milliseconds: tenths(milliseconds),
      };
      if (!slow) return logger.info(line);
      const count = statementCount();
      const database = count && {
        statements: count.statements,
        databaseMilliseconds: tenths(count.milliseconds),
      };
      logger.warn({ ...line, ...database }, 'Slow request');
    },
  };
}

const tenths = (milliseconds: number) => Math.round(milliseconds * 10) / 10;

const pathOf = (url: string) => url.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/\?.*$/, '');
