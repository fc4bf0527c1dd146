import { version } from '#rest/engine/version.ts';
import { withProfile } from '../tools/profile.ts';
import type { Terminal } from '../tools/terminal.ts';
import { programNamed } from './help.ts';
import { programs } from './programs.ts';
import { runProgram } from './run-program.ts';

/** The other names of programs, as people try them. */
const others = new Map([
  ['--help', 'help'],
  ['-h', 'help'],
]);

/** Runs the program that the first argument names, and returns its exit code. */
export const runTollgate = (terminal: Terminal): Promise<number> => runProgram({ run }, terminal);

async function run(terminal: Terminal): Promise<number> {
  const { args, environment } = await withProfile(terminal);
  const [name = 'help', ...rest] = args;
  if (name === '--version') {
    terminal.print(`${version}\n`);
    return 0;
  }
  const program = await programNamed(programs, others.get(name) ?? name);
  return runProgram(program, { ...terminal, args: rest, environment });
}
