import type { Plugin } from 'graphql-yoga';
import type { Replicas } from '../replicas/replicas.ts';
import type { OpenUsageStream } from '../usage-stream/open-usage-stream.ts';
import type { Readiness } from './readiness.ts';

/**
 * `GET /health`: the process answers. `GET /ready`: requests can be served; 503 with the reason when not. It also has the
 * name of the cell and the version of the database. It has the state of the migrations, the feed, the replicas and the
 * stream of usage. Neither asks the database: a background check provides an answer that is at most a second old.
 */
export function useHealth(
  readiness: Pick<Readiness, 'status'> & Partial<Pick<Readiness, 'details'>>,
  replicas?: Pick<Replicas, 'states'>,
  usageStream?: Pick<OpenUsageStream, 'isReady'>,
  cell?: string,
): Plugin {
  return {
    onRequest({ request, url, fetchAPI: { Response }, endResponse }) {
      if (request.method !== 'GET') return;
      const path = url.pathname.replace(/\/$/, '');
      if (path === '/health') endResponse(Response.json({ status: 'ok' }));
      if (path === '/ready') {
        const status = readiness.status();
        endResponse(
          Response.json(
            {
              status,
              ...(cell !== undefined && { cell }),
              ...readiness.details?.(),
              ...(replicas && { replicas: replicas.states() }),
              ...(usageStream && { usageStream: { usable: usageStream.isReady() } }),
            },
            { status: status === 'ready' ? 200 : 503 },
          ),
        );
      }
    },
  };
}
