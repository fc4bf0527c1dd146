import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { dashboardIn } from '#server/http/dashboard-files.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { test } from '../../support/test.ts';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('The dashboard', () => {
  test('is the page at the root and at the path of each page, with the base that leads back', async ({
    gateway,
  }) => {
    for (const [place, base] of [
      ['/', './'],
      ['/customers', './'],
      ['/customers/cust_1', '../'],
      ['/settings/keys/new', '../../'],
    ]) {
      const response = await gateway.fetch(`http://test${place}`, { headers: html });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toContain(`<base href="${base}">`);
    }
  });

  test('allows only files of the service, and styles with the nonce of the answer', async ({
    gateway,
  }) => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await gateway.fetch('http://test/', { headers: html });
        const policy = response.headers.get('content-security-policy') ?? '';
        expect(policy).toContain("default-src 'none'; script-src 'self';");
        expect(policy).not.toMatch(/unsafe|https?:/);
        const [, nonce] = /name="style-nonce" content="([^"]+)"/.exec(await response.text()) ?? [];
        expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
        return nonce;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('leaves unknown paths, and clients that do not ask for HTML, to the service', async ({
    gateway,
  }) => {
    const unknown = await gateway.fetch('http://test/nothing', { headers: html });
    expect(unknown.status).toBe(404);
    expect(unknown.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await unknown.text()).toContain('There is no such page');
    const program = await gateway.fetch('http://test/nothing');
    expect(await program.json()).toMatchObject({ code: 'NOT_FOUND' });
    const client = await gateway.fetch('http://test/customers');
    expect(client.status).toBe(404);
    const root = await gateway.fetch('http://test/');
    expect(await root.json()).toMatchObject({ name: 'Tollgate' });
  });

  test('sends assets compressed as the client accepts, to be kept for a year', async ({
    gateway,
  }) => {
    const page = await (await gateway.fetch('http://test/', { headers: html })).text();
    const [, script = ''] = /src="\.\/(assets\/[^"]+\.js)"/.exec(page) ?? [];
    const contents: string[] = [];
    for (const [accepted, encoding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['identity, br;q=0', null],
    ] as const) {
      const headers = { 'accept-encoding': accepted };
      const response = await gateway.fetch(`http://test/${script}`, { headers });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(response.headers.get('cache-control')).toContain('immutable');
      const bytes = Buffer.from(await response.arrayBuffer());
      if (encoding === 'br') contents.push(brotliDecompressSync(bytes).toString());
      if (encoding === null) contents.push(bytes.toString());
    }
    expect(contents[0]).toBe(contents[1]);
    const missing = await gateway.fetch('http://test/assets/..%2findex.html');
    expect(missing.status).toBe(404);
  });

  test('has a first script below 250 KiB compressed', async () => {
    const files = dashboardIn();
    const { html: page = '' } = (await files.page()) ?? {};
    const [, name = ''] = /assets\/(index-[^"]+\.js)"/.exec(page) ?? [];
    const script = await files.asset(name, 'gzip');
    expect(script?.content.length).toBeLessThan(250 * 1024);
  });

  test('is that of the newest build, also while the service runs', async ({
    database,
    hub,
    onTestFinished,
  }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'dashboard-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const build = async (name: string) => {
      await rm(path.join(folder, 'assets'), { recursive: true, force: true });
      await mkdir(path.join(folder, 'assets'));
      await writeFile(path.join(folder, 'pages.json'), '["customers"]');
      await writeFile(path.join(folder, 'index.html'), `<!--base--><script src="assets/${name}">`);
      await writeFile(path.join(folder, 'assets', name), name);
    };
    const gateway = createGateway({
      orm: database.orm,
      hub,
      logger: createLogger('silent'),
      production: true,
      operationTimeLimitSeconds: 30,
      dashboard: dashboardIn(folder),
    });
    const statusOf = async (asset: string) =>
      (await gateway.fetch(`http://test/assets/${asset}`)).status;
    await build('a.js');
    expect([await statusOf('a.js'), await statusOf('b.js')]).toEqual([200, 404]);
    await build('b.js');
    expect([await statusOf('a.js'), await statusOf('b.js')]).toEqual([404, 200]);
    const page = await gateway.fetch('http://test/', { headers: html });
    expect(await page.text()).toContain('assets/b.js');
  });

  test('is built by the installation', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(scripts.prepare).toBe(scripts.build);
  });
});
