import findMyWay from 'find-my-way';
import { Histogram, type Registry } from 'prom-client';

/** The pages and calls besides those of REST. A path below one of them counts as that one. */
const others = [
  '/graphql',
  '/health',
  '/ready',
  '/metrics',
  '/docs',
  '/documents',
  '/portal',
  '/checkout',
  '/mail-switch',
  '/auth',
  '/processors',
  '/assets',
  '/api/v1/openapi.json',
  '/api/v1/openapi-3.0.json',
] as const;

/** All other paths, among them the pages of the dashboard: a label has few values, whatever clients ask for. */
const another = 'other';
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Measures requests by method, route and status. `routes` are those of REST. */
export function measureRequests(
  registry: Registry,
  routes: readonly { readonly path: string }[],
): (answered: Answered) => void {
  const routeOf = routeNames(routes);
  const histogram = new Histogram({
    name: 'tollgate_http_request_duration_seconds',
    help: 'Duration of requests until the answer begins',
    labelNames: ['method', 'route', 'status'],
    buckets: bounds,
    registers: [registry],
  });
  return ({ method, path, status, milliseconds }) =>
    histogram.observe(
      { method: methods.has(method) ? method : another, route: routeOf(path), status },
      milliseconds / 1_000,
    );
}

function routeNames(routes: readonly { readonly path: string }[]) {
  const router = findMyWay<findMyWay.HTTPVersion.V1>({ ignoreTrailingSlash: true });
  const add = (path: string, name: string) => router.on('GET', path, () => {}, { name });
  for (const path of new Set(routes.map(({ path }) => `/api/v1${path}`))) {
    add(path, path.replaceAll(/:(\w+)/g, '{$1}'));
  }
  for (const path of others) {
    add(path, path);
    add(`${path}/*`, path);
  }
  return (path: string): string =>
    (router.find('GET', path)?.store as { name: string } | undefined)?.name ?? another;
}
