import { runProgram } from '../../src/cli/run-program.ts';
import type { Program } from '../../src/tools/terminal.ts';
import type { Ended, Settings } from './process.ts';
import { testSecretsKey, useTestSecretsKey } from './secrets.ts';

/**
 * Runs a program of `src/cli` in this process: `runHere(['keys', 'list'], { DATABASE_URL })`. It sees the settings
 * and not the environment of the tests.
 */
export async function runHere(
  [name = '', ...args]: readonly string[],
  settings: Settings,
): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const { program }: { program: Program } = await import(`../../src/cli/${name}.ts`);
  const code = await runProgram(program, {
    args,
    environment: { SECRETS_KEY: testSecretsKey, POSTGRES_BIN: 'embedded', ...settings },
    print: (text) => {
      written.stdout += text;
    },
    tell: (text) => {
      written.stderr += text;
    },
    input: async () => '',
    stop: () => new AbortController().signal,
  });
  // A program reads its own keys, and the tests of this process go on with theirs.
  useTestSecretsKey();
  return { code, ...written };
}
