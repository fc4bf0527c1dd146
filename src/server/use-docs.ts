import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Route } from '#rest/engine/route.ts';
import { root } from '#root';
import { docsPage, docsStart } from './docs-page.ts';

const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const guides = join(root, 'src/server/guides');

/** The folder of each file that the pages load. */
const folders: Readonly<Record<string, string>> = {
  'swagger-ui.css': viewer,
  'swagger-ui-bundle.js': viewer,
  'guides.css': guides,
  'guide-text.css': guides,
  'guides.js': guides,
};

const html = 'text/html; charset=utf-8';

const typeOf = (name: string) =>
  `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`;

/**
 * `GET /api/v1/openapi.json` describes the REST interface, `GET /docs` shows it, and `GET /docs/<guide>` shows a
 * guide. The pages load nothing from elsewhere.
 */
export function useDocs(routes: readonly Route[], schema: GraphQLSchema): Plugin {
  let description: Promise<string> | undefined;

  return {
    onRequest({ request, url: { pathname }, fetchAPI: { Response }, endResponse }) {
      if (request.method !== 'GET') return;
      const answer = (body: BodyInit, type: string) =>
        endResponse(new Response(body, { headers: { 'content-type': type } }));
      if (pathname === '/api/v1/openapi.json') {
        description ??= describe(routes, schema);
        return description.then((text) => answer(text, 'application/json'));
      }
      if (pathname === '/docs') return answer(docsPage, html);
      // The page's addresses are relative to `/docs`.
      if (pathname === '/docs/') {
        return endResponse(new Response(null, { status: 308, headers: { location: '../docs' } }));
      }
      if (pathname === '/docs/start.js') return answer(docsStart, 'text/javascript; charset=utf-8');
      const name = pathname.startsWith('/docs/') ? pathname.slice('/docs/'.length) : '';
      const folder = Object.hasOwn(folders, name) && folders[name];
      if (folder) return readFile(join(folder, name)).then((file) => answer(file, typeOf(name)));
      if (name) {
        return guide(name).then((page) => {
          if (page) answer(page, html);
        });
      }
    },
  };
}

/** The parts that render are loaded on demand, because most processes never need them. */
async function describe(routes: readonly Route[], schema: GraphQLSchema): Promise<string> {
  const { openApiOf } = await import('#rest/openapi/openapi.ts');
  return JSON.stringify(openApiOf(routes, schema));
}

async function guide(name: string): Promise<string | undefined> {
  const { guidePage } = await import('./guides/guide-page.ts');
  return guidePage(name);
}
