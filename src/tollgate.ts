import { text } from 'node:stream/consumers';
import { runProgram } from './cli/run-program.ts';
import type { Program, Terminal } from './tools/terminal.ts';

/** The programs by their name. Each is loaded when it is called. */
const programs: Readonly<Record<string, () => Promise<{ readonly program: Program }>>> = {
  backup: () => import('./cli/backup.ts'),
  books: () => import('./cli/books.ts'),
  catalog: () => import('./cli/catalog.ts'),
  demo: () => import('./cli/demo.ts'),
  doctor: () => import('./cli/doctor.ts'),
  import: () => import('./cli/import.ts'),
  keys: () => import('./cli/keys.ts'),
  processors: () => import('./cli/processors.ts'),
  restore: () => import('./cli/restore.ts'),
  scenario: () => import('./cli/scenario.ts'),
  secrets: () => import('./cli/secrets.ts'),
  tenant: () => import('./cli/tenant.ts'),
  users: () => import('./cli/users.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(programs, name) ? programs[name] : undefined;
if (load) {
  const { program } = await load();
  process.exitCode = await runProgram(program, terminalOf(args));
} else {
  process.stderr.write(`The programs are ${Object.keys(programs).join(', ')}\n`);
  process.exitCode = 1;
}

/** The terminal of this process. */
function terminalOf(args: readonly string[]): Terminal {
  return {
    args,
    // biome-ignore lint/style/noProcessEnv: programs read their settings, and an address and a key for all of them
    environment: process.env,
    print: (written) => void process.stdout.write(written),
    tell: (written) => void process.stderr.write(written),
    input: () => text(process.stdin),
    stop() {
      const controller = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => controller.abort());
      return controller.signal;
    },
  };
}
