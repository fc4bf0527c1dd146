import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { build } from 'rolldown';
import { onTestFinished } from 'vitest';

interface Application {
  /** The program of the page, in the folder `tollgate-page`. */
  readonly program: string;
  /** Where the page finds its packages: as they are published, or the sources of this repository. */
  readonly packages: 'published' | 'sources';
  /** What the server of the application answers to JSON that its page sends. */
  readonly answer?: (path: string, sent: never) => Promise<object>;
}

const html =
  '<!doctype html><html lang="en"><title>App</title><div id="root"></div><script type="module" src="/page.js"></script></html>';

/** Serves a page of an application that uses the package, on its own origin, which is the answer. */
export async function aPage(folder: string, { program, packages, answer }: Application) {
  const file = join(folder, `${program}.js`);
  await build({
    input: resolve('test/system/clients/tollgate-page', program),
    platform: 'browser',
    logLevel: 'warn',
    // A bundle of a page has no use for the directive of client components.
    checks: { moduleLevelDirective: false },
    ...(packages === 'sources' && {
      resolve: { conditionNames: ['@tollgate/source', 'import', 'browser', 'default'] },
    }),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: { file, format: 'esm' },
  });
  const script = await readFile(file);
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      const { status, body } = await answered(request);
      return void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    }
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : html);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://app.localhost:${(server.address() as AddressInfo).port}`;

  async function answered(request: IncomingMessage) {
    try {
      const sent = (await json(request)) as never;
      return { status: 200, body: JSON.stringify(await answer?.(request.url ?? '', sent)) };
    } catch (error) {
      return { status: 500, body: JSON.stringify({ message: `${error}` }) };
    }
  }
}
