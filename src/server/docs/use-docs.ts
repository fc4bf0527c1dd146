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
const markdown = 'text/markdown; charset=utf-8';

/** The documents for language models; each is made when it is asked for. */
const texts: Readonly<Record<string, () => Promise<string>>> = {
  '/llms.txt': async () => (await import('./guide-texts.ts')).listOfGuides(),
  '/llms-full.txt': async () => (await import('./guide-texts.ts')).allGuides(),
};

const typeOf = (name: string) =>
  `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`;

/** How each description is made. Its parts are loaded on demand, because most processes never need them. */
const describers: Readonly<
  Record<string, (routes: readonly Route[], schema: GraphQLSchema) => Promise<string>>
> = {
  async '/api/v1/openapi.json'(routes, schema) {
    const { openApiOf } = await import('#rest/openapi/openapi.ts');
    return JSON.stringify(openApiOf(routes, schema));
  },
  async '/api/v1/openapi-3.0.json'(routes, schema) {
    const { openApiOf } = await import('#rest/openapi/openapi.ts');
    const { openApi30Of } = await import('#rest/openapi/openapi-3-0.ts');
    return JSON.stringify(openApi30Of(openApiOf(routes, schema)));
  },
};

/**
 * `GET /api/v1/openapi.json` describes the REST interface, `openapi-3.0.json` does so in OpenAPI 3.0, `GET /docs` shows it, and `GET /docs/<guide>` shows a
 * guide. `GET /docs/<guide>.md` is its Markdown, `/llms.txt` the list of guides, and `/llms-full.txt` all of them. The pages
 * load nothing from elsewhere.
 */
export function useDocs(routes: readonly Route[], schema: GraphQLSchema): Plugin {
  const descriptions = new Map<string, Promise<string>>();

  return {
    onRequest({ request, url: { pathname }, fetchAPI: { Response }, endResponse }) {
      if (request.method !== 'GET') return;
      const answer = (body: BodyInit, type: string) =>
        endResponse(new Response(body, { headers: { 'content-type': type } }));
      const describe = describers[pathname];
      if (describe) {
        const description = descriptions.get(pathname) ?? describe(routes, schema);
        descriptions.set(pathname, description);
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
      const write = texts[pathname];
      if (write) return write().then((text) => answer(text, markdown));
      if (name.endsWith('.md')) {
        return guideText(name.slice(0, -'.md'.length)).then((text) => {
          if (text !== undefined) answer(text, markdown);
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

async function guideText(name: string): Promise<string | undefined> {
  const { textOfGuide } = await import('./guide-texts.ts');
  return textOfGuide(name);
}

async function guide(name: string): Promise<string | undefined> {
  const { guidePage } = await import('./guide-page.ts');
  return guidePage(name);
}
