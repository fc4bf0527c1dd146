import { randomBytes } from 'node:crypto';
import type { Plugin } from 'graphql-yoga';
import { type DashboardAsset, dashboardIn, wantsHtml } from '../http/dashboard-files.ts';

const asset = /^\/assets\/([\w.-]+)$/;

/** Allows the files of the service, and no others. Styles that the page writes need the nonce of its answer. */
const policyWith = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'`;

/**
 * Serves the built dashboard to clients that ask for HTML: at `/`, and at the paths of its pages. The names of its
 * assets change with their content. Serves nothing where it is not built.
 */
export function useDashboard(files = dashboardIn()): Plugin {
  return {
    async onRequest({ request, url: { pathname }, fetchAPI: { Response }, endResponse }) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return;
      const [, name] = asset.exec(pathname) ?? [];
      if (name) {
        const file = await files.asset(name, request.headers.get('accept-encoding') ?? '');
        if (file) endResponse(answerWith(file));
        return;
      }
      if (!wantsHtml(request)) return;
      const page = await files.page();
      const [, first = ''] = pathname.split('/');
      if (page && (pathname === '/' || page.paths.has(first))) {
        endResponse(pageAt(page.html, pathname));
      }

      function answerWith({ content, type, encoding }: DashboardAsset) {
        const headers = {
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'Accept-Encoding',
          ...(encoding && { 'content-encoding': encoding }),
        };
        return new Response(content, { headers });
      }

      function pageAt(page: string, path: string) {
        const nonce = randomBytes(16).toString('base64url');
        // Relative, because a proxy may serve the dashboard below a prefix that is unknown here.
        const base = '../'.repeat(path.split('/').length - 2) || './';
        const head = `<base href="${base}"><meta name="style-nonce" content="${nonce}">`;
        const headers = {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          vary: 'Accept',
          'content-security-policy': policyWith(nonce),
        };
        return new Response(page.replace('<!--base-->', head), { headers });
      }
    },
  };
}
