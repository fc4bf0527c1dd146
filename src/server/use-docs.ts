import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Route } from '#rest/engine/route.ts';
import { openApiOf } from '#rest/openapi/openapi.ts';
import { docsPage, docsStart } from './docs-page.ts';

const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** `GET /api/v1/openapi.json` describes the REST interface; `GET /docs` shows it, without external resources. */
export function useDocs(routes: readonly Route[], schema: GraphQLSchema): Plugin {
  let description: string | undefined;

  return {
    onRequest({ request, url: { pathname }, fetchAPI: { Response }, endResponse }) {
      if (request.method !== 'GET') return;
      const answer = (body: BodyInit, type: string) =>
        endResponse(new Response(body, { headers: { 'content-type': type } }));
      if (pathname === '/api/v1/openapi.json') {
        // Built on demand: it takes some 100 milliseconds, and most processes never need it.
        description ??= JSON.stringify(openApiOf(routes, schema));
        return answer(description, 'application/json');
      }
      if (pathname === '/docs') return answer(docsPage, 'text/html; charset=utf-8');
      // The page's addresses are relative to `/docs`.
      if (pathname === '/docs/') {
        return endResponse(new Response(null, { status: 308, headers: { location: '../docs' } }));
      }
      if (pathname === '/docs/start.js') return answer(docsStart, 'text/javascript; charset=utf-8');
      const name = pathname.startsWith('/docs/') ? pathname.slice('/docs/'.length) : '';
      const type = Object.hasOwn(files, name) && files[name];
      if (type) return readFile(join(viewer, name)).then((file) => answer(file, type));
    },
  };
}
