import type { MikroORM } from '@mikro-orm/postgresql';
import type { Plugin } from 'graphql-yoga';

/**
 * `GET /health`: the process answers. `GET /ready`: the database answers too, with every migration
 * applied, so requests can be served; 503 when not.
 */
export function useHealth(orm: MikroORM): Plugin {
  return {
    onRequest({ request, url, fetchAPI: { Response }, endResponse }) {
      if (request.method !== 'GET') return;
      if (url.pathname === '/health') endResponse(Response.json({ status: 'ok' }));
      // A promise only where there is something to wait for: every request comes through here.
      if (url.pathname === '/ready') return ready().then(endResponse);

      async function ready() {
        const status = await readiness(orm);
        return Response.json({ status }, { status: status === 'ready' ? 200 : 503 });
      }
    },
  };
}

/** Whether requests can be served: `ready`, or the reason why not. */
export async function readiness(orm: MikroORM) {
  try {
    const pending = await orm.migrator.getPending();
    return pending.length === 0 ? 'ready' : 'migrations pending';
  } catch {
    return 'database unreachable';
  }
}
