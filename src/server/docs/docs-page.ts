import { guideNames } from '#rest/guides/index.ts';

/** The viewer has no dark color for the headers of responses, and makes headings and tables too wide for phones. */
const style = `
  html.dark-mode .swagger-ui .headers-wrapper td, html.dark-mode .swagger-ui .header-col { color: #e4e6e6; }
  body { margin: 0; }
  .bar { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .9rem 1.5rem; border-bottom: 1px solid #d9e0dc; font: 1rem/1.65 system-ui, sans-serif; }
  .bar a { color: #56655e; text-decoration: none; }
  .bar a:hover, .bar [aria-current] { color: #17211d; }
  .bar [aria-current] { font-weight: 600; }
  .bar .brand { margin-right: .75rem; color: #1f6f54; font-weight: 700; }
  html.dark-mode .bar { border-color: #3b4745; }
  html.dark-mode .bar a { color: #a9b8b1; }
  html.dark-mode .bar a:hover, html.dark-mode .bar [aria-current] { color: #e4e6e6; }
  html.dark-mode .bar .brand { color: #5fc49d; }
  @media (max-width: 600px) {
    .swagger-ui .opblock-tag { flex-wrap: wrap; }
    .swagger-ui .opblock-tag small { flex: 1 0 100%; order: 1; padding: 0; }
    .swagger-ui .opblock-tag .expand-operation { margin-left: auto; }
    .swagger-ui .renderedMarkdown { overflow-wrap: anywhere; }
    .swagger-ui .responses-table { table-layout: fixed; }
    .swagger-ui .responses-table .response-col_status { width: 4rem; }
    .swagger-ui .response-col_links { display: none; }
  }
`;

/** The page at `/docs`. Its addresses are relative, so that it works below any path. */
export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tollgate API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <style>${style}</style>
    <link rel="icon" href="favicon.svg">
  </head>
  <body>
    <nav class="bar" aria-label="Documents">
      <a class="brand" href="./">Tollgate</a>
      <a href="docs/${guideNames[0]}">Guides</a>
      <a href="docs" aria-current="page">API reference</a>
      <a href="graphql">GraphQL</a>
    </nav>
    <div id="ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/**
 * The script of the API description. It is dark where the browser prefers that. It fills ids into examples:
 * `prod_last` becomes the last product of a response, else the newest one.
 */
export const docsStart = `'use strict';
const base = location.origin + location.pathname.replace(/\\/docs\\/?$/, '');
const lists = {
  cust: 'customers', feature: 'features', inv: 'invoices', pm: 'payment-methods', price: 'prices',
  pricing_model: 'pricing-models', prod: 'products', pym: 'payments', resource: 'resources',
  si: 'subscription-items', sub: 'subscriptions', sub_feature: 'subscription-item-features',
  usage_event: 'usage-events', usage_meter: 'usage-meters', webhook: 'webhooks',
};
const placeholder = /\\b([a-z]+(?:_[a-z]+)*)_last\\b/g;
const seen = new Map();

const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

function remember(text) {
  for (const [, prefix, id] of String(text).matchAll(/"id":\\s*"([a-z_]+)_([0-9A-Za-z]{21})"/g)) {
    seen.set(prefix, prefix + '_' + id);
  }
}

async function newest(prefix, headers) {
  const list = lists[prefix];
  if (!list) return undefined;
  const path = base + '/api/v1/' + list;
  for (let cursor = ''; ; ) {
    const answer = await fetch(path + (list === 'resources' ? '' : '?limit=100' + cursor), { headers });
    if (!answer.ok) return undefined;
    const page = await answer.json();
    const rows = page.data ?? Object.values(page)[0];
    const row = Array.isArray(rows) ? rows.at(-1) : undefined;
    if (!page.nextCursor) return row?.id;
    cursor = '&cursor=' + encodeURIComponent(page.nextCursor);
  }
}

async function fill(text, headers) {
  for (const [, prefix] of text.matchAll(placeholder)) {
    if (seen.has(prefix)) continue;
    const id = await newest(prefix, headers);
    if (id) seen.set(prefix, id);
  }
  return text.replaceAll(placeholder, (whole, prefix) => seen.get(prefix) ?? whole);
}

async function begin() {
  const description = await (await fetch(base + '/api/v1/openapi.json')).json();
  description.servers = [{ url: base }];
  window.ui = SwaggerUIBundle({
    spec: description, dom_id: '#ui', deepLinking: true, validatorUrl: null,
    persistAuthorization: true, filter: true, tryItOutEnabled: true, docExpansion: 'list',
    defaultModelsExpandDepth: 0, displayRequestDuration: true,
    async requestInterceptor(request) {
      const { Authorization } = request.headers;
      const headers = Authorization ? { Authorization } : {};
      request.url = await fill(request.url, headers);
      if (typeof request.body === 'string') request.body = await fill(request.body, headers);
      return request;
    },
    responseInterceptor(response) {
      remember(response.text);
      return response;
    },
  });
}
begin();
`;
