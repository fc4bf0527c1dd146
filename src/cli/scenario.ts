import { exitCodeOf, parseScenarioArguments, usage } from '../tools/scenario/arguments.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate scenario` executes scenarios, and fails where records differ from those that they expect. */
export const program: Program = {
  usage,
  async run({ args, print }) {
    const names = parseScenarioArguments(args);
    if (!names) return void print(usage);
    // Loaded only now, so that bad arguments are refused at once.
    const { runFiles } = await import('../tools/scenario/run-files.ts');
    const tally = await runFiles(names, print);
    const { passed, failed, broken } = tally;
    const others = broken > 0 ? `, ${broken} broken` : '';
    print(`${passed} as expected, ${failed} with differences${others}\n`);
    return exitCodeOf(tally);
  },
};
