import { text } from 'node:stream/consumers';
import { runTollgate } from './cli/run-tollgate.ts';
import type { Terminal } from './tools/terminal.ts';

process.exitCode = await runTollgate(terminalOf(process.argv.slice(2)));

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
