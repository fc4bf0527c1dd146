import type { Plugin } from 'graphql-yoga';
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
 * `X-Request-Id`, and writes one line for it.
 */
export function useRequestLog(logger: Logger): Plugin {
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
      if (!logger.isLevelEnabled('info')) return;
      logger.info({
        requestId: started.id,
        method: request.method,
        path: pathOf(request.url),
        status: response.status,
        milliseconds: Math.round((performance.now() - started.at) * 10) / 10,
      });
    },
  };
}

const pathOf = (url: string) => url.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/\?.*$/, '');
