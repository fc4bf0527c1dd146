import type { Plugin } from 'graphql-yoga';
import { baseStyle } from './base-style.ts';
import { html } from './html.ts';
import { headersOf, htmlPage } from './html-page.ts';

const style = `${baseStyle}main { max-width: 40rem; padding: 1.25rem 1rem; }`;

/**
 * Refuses all unknown paths: with a page where a browser asks for one, else in the documented shape of errors. Yoga itself
 * would take any path that ends with the name of its endpoint.
 */
export function useNotFound(graphqlEndpoint: string): Plugin {
  return {
    onRequest({ request, url: { pathname }, fetchAPI: { Response }, endResponse }) {
      if (pathname === graphqlEndpoint || pathname === `${graphqlEndpoint}/`) return;
      if (request.method === 'OPTIONS') return;
      if (request.headers.get('accept')?.includes('text/html')) {
        const headers = { ...headersOf(style, 'no-referrer'), vary: 'Accept' };
        endResponse(new Response(unknownPage(pathname), { status: 404, headers }));
        return;
      }
      const message = `There is nothing at ${pathname}: REST is below /api/v1, GraphQL at ${graphqlEndpoint}, the documentation at /docs`;
      const headers = { vary: 'Accept' };
      endResponse(
        Response.json({ code: 'NOT_FOUND', message, issues: [] }, { status: 404, headers }),
      );
    },
  };
}

const unknownPage = (pathname: string) => {
  // The service may be below a path of its host, so the links are relative.
  const root = '../'.repeat(Math.max(0, pathname.split('/').length - 2)) || './';
  return htmlPage({
    title: 'There is no such page',
    style,
    body: html`<main><section aria-labelledby="state">
        <h1 id="state">There is no such page</h1>
        <p>There is nothing at this address. Check it, or start again.</p>
        <p><a href="${root}">The start page</a> · <a href="${root}docs">The documentation</a></p>
      </section></main>`,
  });
};
