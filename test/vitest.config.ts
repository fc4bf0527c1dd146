import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './support/repository/slowest-first.ts';

// The workers inherit it. Each loads the whole service, which is more than half of the time of a run of few files.
// biome-ignore lint/style/noProcessEnv: Node reads the folder of compiled code from the environment
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/node');

// biome-ignore lint/style/noProcessEnv: a PostgreSQL of the machine changes no test, unless it is asked for by name
process.env.POSTGRES_BIN ??= 'embedded';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    // Tests run on Node itself, exactly as production does.
    experimental: { viteModuleRunner: false },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/secrets.ts', 'test/support/properties.ts'],
    include: ['test/**/*.test.ts'],
    sequence: { sequencer: SlowestFirst },
    tags: [
      { name: 'smoke', description: 'stands for its kind of system test in `npm test`' },
      { name: 'long', description: 'takes long, and is left to `npm run test:all`' },
    ],
    // Much of the time is spent waiting for other processes and for the database.
    maxWorkers: availableParallelism() + 1,
    // A module keeps state by database, and files share a database or have one of their own.
    isolate: false,
    // A test leaves many young objects, and a small space for them is collected all the time. The packages of this
    // repository are their sources, which no build precedes.
    execArgv: ['--max-semi-space-size=64', '--conditions=@tollgate/source'],
    // These limits find a test that hangs; a slow machine is not a failure.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
