interface Shown {
  readonly version: string;
  readonly production: boolean;
  readonly status: string;
}

const style = `
  :root { color-scheme: light dark; --ink: #17211d; --soft: #5a6a63; --line: #d9e0dc; --back: #f6f8f7; --card: #fff; --mark: #1f6f54; --bad: #b3261e; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e8eeeb; --soft: #9fb0a8; --line: #2c3833; --back: #121815; --card: #1a221e; --mark: #6fd0aa; --bad: #ff8a80; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
  main { max-width: 46rem; margin: 0 auto; padding: 3.5rem 1.25rem; }
  h1 { font-size: 2rem; line-height: 1.2; margin: 0; letter-spacing: -.01em; }
  h2 { font-size: 1.05rem; margin: 2.5rem 0 .5rem; }
  p { margin: .4rem 0; }
  .soft { color: var(--soft); }
  .state { display: inline-flex; align-items: center; gap: .5rem; margin-top: .75rem; }
  .dot { width: .65rem; height: .65rem; border-radius: 50%; background: var(--mark); }
  .dot.bad { background: var(--bad); }
  ul { list-style: none; margin: 2rem 0 0; padding: 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); }
  li a { display: block; height: 100%; padding: 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); color: inherit; text-decoration: none; }
  li a:hover, li a:focus-visible { border-color: var(--mark); outline: none; }
  li b { color: var(--mark); display: block; }
  pre { margin: .5rem 0; padding: .8rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); font: .9rem/1.5 ui-monospace, monospace; }
`;

/** The page at `/`: the state of the service, links, and how to make a key. */
export function homePage({ version, production, status }: Shown): string {
  const isReady = status === 'ready';
  const graphiql = production
    ? 'The endpoint for queries, mutations and subscriptions. GraphiQL is off in production.'
    : 'GraphiQL: the whole API with its schema, queries and live subscriptions.';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tollgate</title>
    <link rel="icon" href="favicon.svg" type="image/svg+xml">
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>Tollgate</h1>
      <p class="soft">Billing and subscriptions, version ${version}</p>
      <p class="state"><span class="dot${isReady ? '' : ' bad'}"></span>${isReady ? 'Ready' : `Not ready: ${status}`}</p>
      <ul>
        <li><a href="docs/getting-started"><b>Guides</b>How to bill with it and how to run it.</a></li>
        <li><a href="docs"><b>REST reference</b>Every endpoint with an example to send.</a></li>
        <li><a href="graphql"><b>GraphQL</b>${graphiql}</a></li>
        <li><a href="api/v1/openapi.json"><b>OpenAPI</b>The REST interface for generators of clients.</a></li>
        <li><a href="ready"><b>Readiness</b>For load balancers and monitoring.</a></li>
      </ul>
      <h2>Make a key</h2>
      <p>On the machine of the service, in its folder. The key is shown once, since only its hash is stored.</p>
      <pre>tollgate keys create --name "My first key"</pre>
      <p class="soft">Add <code>--live</code> for live data, <code>--type publishable</code> for a key that reads the catalog only.</p>
      <h2>First call</h2>
      <pre>export KEY=sk_test_…
tollgate api GET /products</pre>
    </main>
  </body>
</html>
`;
}
