import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import createClient from 'openapi-fetch';
import { expect } from 'vitest';
import { test } from './service.ts';

/** The output of a program of Node, and its exit code. */
async function outputOf(args: readonly string[], input = '') {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  child.stdin.end(input);
  const output = await text(child.stdout);
  const [code] = await exit;
  return { code, output };
}

const compilerOptions = {
  ...{ target: 'esnext', module: 'nodenext', lib: ['esnext', 'dom'], types: [], strict: true },
  ...{ noEmit: true, allowImportingTsExtensions: true, exactOptionalPropertyTypes: true },
  paths: { 'openapi-fetch': [resolve('test/node_modules/openapi-fetch/dist/index.d.mts')] },
};

test.for([
  ['3.1', '/api/v1/openapi.json'],
  ['3.0', '/api/v1/openapi-3.0.json'],
] as const)(
  'a program with types of openapi-typescript from OpenAPI %s compiles, and runs with openapi-fetch',
  async ([version, path], { folder, url, tenant }) => {
    const description = await (await fetch(new URL(path, url))).text();
    expect(JSON.parse(description).openapi).toMatch(version);
    const generated = await outputOf(['dashboard/client/rest-types/generate.ts'], description);
    expect(generated.code).toBe(0);
    expect(generated.output).toContain('"/api/v1/customers/{externalId}"');
    await writeFile(join(folder, 'paths.ts'), generated.output);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const project = join(folder, 'tsconfig.json');
    await writeFile(project, JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const program = join(folder, 'program.ts');
    await copyFile('test/system/clients/openapi/program.ts', program);
    const compiled = await outputOf(['node_modules/typescript/bin/tsc', '-p', project]);
    expect(compiled).toEqual({ code: 0, output: '' });

    const { run } = await import(pathToFileURL(program).href);
    expect(await run(createClient, url.replace(/\/$/, ''), tenant.key)).toEqual({
      ...{ plans: [expect.any(String)], total: 1, email: 'ada@example.com' },
      ...{ code: 'NOT_FOUND', status: 404, issues: 2 },
    });
  },
);
