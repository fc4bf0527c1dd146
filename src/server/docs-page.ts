/** The viewer has no dark color for the headers of responses, and makes headings and tables too wide for phones. */
const style = `
  html.dark-mode .swagger-ui .headers-wrapper td, html.dark-mode .swagger-ui .header-col { color: #e4e6e6; }
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
