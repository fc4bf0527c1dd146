import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bundledProgram } from '../../../src/launch/bundled-program.js';
import { digestOf } from '../../../src/launch/sources.js';

const long = new Date('2020-01-01');
const later = new Date('2040-01-01');

/** A folder with a source and its bundle, which is newer, and without the tools to build. */
async function aBundledFolder() {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), 'tollgate-bundle-'));
  onTestFinished(() => fs.rm(root, { recursive: true }));
  const source = path.join(root, 'src/main.ts');
  const bundled = path.join(root, 'src/dist/src/main.js');
  await fs.mkdir(path.dirname(bundled), { recursive: true });
  await fs.mkdir(path.join(root, 'src/server'));
  await fs.writeFile(source, 'a');
  await fs.writeFile(path.join(root, 'src/server/other.ts'), 'b');
  await fs.writeFile(bundled, 'ab');
  await fs.writeFile(path.join(root, 'src/dist/digest'), digestOf(root));
  return { root, source, bundled };
}

test('a program runs from the bundle, and other files run as they are', async () => {
  const { root, bundled } = await aBundledFolder();
  expect(bundledProgram(root, 'src/main.ts')).toBe(bundled);
  expect(bundledProgram(root, 'test/run.ts')).toBe('test/run.ts');
});

test('TOLLGATE_RUN=sources runs the source', async () => {
  const { root, source } = await aBundledFolder();
  vi.stubEnv('TOLLGATE_RUN', 'sources');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(bundledProgram(root, 'src/main.ts')).toBe(source);
});

test('a copy with new times runs from the bundle, and is read once', async () => {
  const { root, source, bundled } = await aBundledFolder();
  await fs.utimes(bundled, long, long);
  expect(bundledProgram(root, 'src/main.ts')).toBe(bundled);
  expect((await fs.stat(bundled)).mtimeMs).toBeGreaterThan((await fs.stat(source)).mtimeMs);
});

test.for<[what: string, change: (root: string) => Promise<void>]>([
  ['changed', (root) => fs.writeFile(path.join(root, 'src/server/other.ts'), 'c')],
  ['added', (root) => fs.writeFile(path.join(root, 'src/server/new.ts'), 'c')],
  ['removed', (root) => fs.rm(path.join(root, 'src/server/other.ts'))],
])('a source that is %s is not answered by an older bundle', async ([, change]) => {
  const { root, source, bundled } = await aBundledFolder();
  await fs.utimes(bundled, long, long);
  await change(root);
  await fs.utimes(path.join(root, 'src/server'), later, later);
  expect(bundledProgram(root, 'src/main.ts')).toBe(source);
});
