import { text } from 'node:stream/consumers';
import { runProgram } from '#server/run-program.ts';
import type { Program, Terminal } from '#server/terminal.ts';

/** The programs by their name. Each is loaded when it is called. */
const programs: Readonly<Record<string, () => Promise<{ readonly program: Program }>>> = {
  backup: () => import('./programs/backup.ts'),
  books: () => import('./programs/books.ts'),
  catalog: () => import('./programs/catalog.ts'),
  demo: () => import('./programs/demo.ts'),
  doctor: () => import('./programs/doctor.ts'),
  fleet: () => import('./programs/fleet.ts'),
  import: () => import('./programs/import.ts'),
  keys: () => import('./programs/keys.ts'),
  processors: () => import('./programs/processors.ts'),
  restore: () => import('./programs/restore.ts'),
  scenario: () => import('./programs/scenario.ts'),
  secrets: () => import('./programs/secrets.ts'),
  tenant: () => import('./programs/tenant.ts'),
  users: () => import('./programs/users.ts'),
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
