import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { openApiOf } from '#rest/openapi.ts';
import type { Route } from '#rest/route.ts';

const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const start = `window.ui = SwaggerUIBundle({
  url: '/api/v1/openapi.json', dom_id: '#ui', deepLinking: true, validatorUrl: null,
});`;

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tollgate API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** `GET /api/v1/openapi.json` describes the REST interface; `GET /docs` shows it, with nothing from elsewhere. */
export function useDocs(routes: readonly Route[], schema: GraphQLSchema): Plugin {
  let description: string | undefined;

  return {
    onRequest({ request, url: { pathname }, fetchAPI: { Response }, endResponse }) {
      if (request.method !== 'GET') return;
      const answer = (body: BodyInit, type: string) =>
        endResponse(new Response(body, { headers: { 'content-type': type } }));
      if (pathname === '/api/v1/openapi.json') {
        // Some hundred milliseconds that most processes never need.
        description ??= JSON.stringify(openApiOf(routes, schema));
        return answer(description, 'application/json');
      }
      if (pathname === '/docs' || pathname === '/docs/')
        return answer(page, 'text/html; charset=utf-8');
      if (pathname === '/docs/start.js') return answer(start, 'text/javascript; charset=utf-8');
      const name = pathname.startsWith('/docs/') ? pathname.slice('/docs/'.length) : '';
      const type = Object.hasOwn(files, name) && files[name];
      if (type) return readFile(join(viewer, name)).then((file) => answer(file, type));
    },
  };
}
