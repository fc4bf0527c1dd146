import type { Plugin } from 'graphql-yoga';
import { homePage } from './home-page.ts';

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f6f54"/><path d="M6 22V10h4v12zm7-9 13-4v4l-13 4z" fill="#fff"/></svg>`;

const security = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export interface Home {
  readonly version: string;
  readonly production: boolean;
  /** Whether requests can be served: `ready`, or the reason in a few words. */
  readonly state: () => Promise<string>;
}

/**
 * `GET /` lists the addresses of the service: a page for people, JSON for clients that do not ask
 * for HTML. The answer to HEAD has no body. The page loads nothing, and its addresses are
 * relative.
 */
export function useHome({ version, production, state }: Home): Plugin {
  return {
    onRequest({ request, url: { pathname }, fetchAPI: { Response }, endResponse }) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return;
      if (pathname === '/favicon.svg' || pathname === '/favicon.ico') {
        const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=86400' };
        return endResponse(new Response(favicon, { headers: { ...security, ...headers } }));
      }
      if (pathname !== '/') return;
      return answer().then(endResponse);

      async function answer() {
        const status = await state();
        const vary = { ...security, vary: 'Accept', 'cache-control': 'no-store' };
        if (!request.headers.get('accept')?.includes('text/html')) {
          const links = { rest: 'api/v1', graphql: 'graphql', docs: 'docs', ready: 'ready' };
          return Response.json({ name: 'Tollgate', version, status, links }, { headers: vary });
        }
        const html = homePage({ version, production, status });
        const type = { 'content-type': 'text/html; charset=utf-8' };
        return new Response(html, { headers: { ...vary, ...type } });
      }
    },
  };
}
