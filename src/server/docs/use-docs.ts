import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Route } from '#rest/engine/route.ts';
import { root } from '#root';
import { dashboardIn, isPackageMissing, notBuilt, viewerFiles } from '../http/dashboard-files.ts';
import { docsPage, docsStart } from './docs-page.ts';

const guides = join(root, 'src/server/docs');
const built = dashboardIn();

const guideFile = (name: string) => () => readFile(join(guides, name));

/** How each file that the pages load is read; undefined where it is not built. */
const files: ReadonlyMap<string, () => Promise<Buffer<ArrayBuffer> | undefined>> = new Map([
  ...viewerFiles.map((name) => [name, () => viewerFile(name)] as const),
  ...['guides.css', 'guide-text.css', 'guides.js'].map((name) => [name, guideFile(name)] as const),
]);

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
      const file = files.get(name);
      if (file) {
        return file().then((content) => {
          if (content) answer(content, typeOf(name));
          else endResponse(new Response(notBuilt, { status: 503 }));
        });
      }
      if (name) {
        return guide(name).then((page) => {
          if (page) answer(page, html);
        });
      }
    },
  };
}

async function viewerFile(name: string): Promise<Buffer<ArrayBuffer> | undefined> {
  const copy = await built.prepared(`docs/${name}`, '');
  if (copy) return copy.content;
  try {
    return await readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
  } catch (error) {
    if (isPackageMissing(error)) return undefined;
    throw error;
  }
}

/** The parts that render are loaded on demand, because most processes never need them. */
async function describe(routes: readonly Route[], schema: GraphQLSchema): Promise<string> {
  const { openApiOf } = await import('#rest/openapi/openapi.ts');
  return JSON.stringify(openApiOf(routes, schema));
}

async function guide(name: string): Promise<string | undefined> {
  const { guidePage } = await import('./guide-page.ts');
  return guidePage(name);
}
