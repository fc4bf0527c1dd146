import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

interface Run {
  /** Flags of Node, which the programs that the benchmark starts have, too. */
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
}

/** Runs a benchmark of a checkout in a process of its own. Returns its output. Errors: where it fails. */
export async function runBenchmark(
  checkout: string,
  name: string,
  { flags = [], args = [] }: Run = {},
): Promise<string> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...flags, 'bench/main.ts', name, ...args],
    { cwd: checkout, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve).on('error', reject);
  });
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new Error(`The benchmark ${name} of ${checkout} has ended with ${code}`);
  return output;
}
