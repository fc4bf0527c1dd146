import { parseTailArguments, tailUsage as usage } from '../tools/feed/arguments.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate tail` prints events as they happen. */
export const program: Program = {
  usage,
  async run(terminal) {
    const request = parseTailArguments(terminal);
    if (!request) return void terminal.print(usage);
    // Loaded only now, so that bad arguments are refused at once.
    const { tail } = await import('../tools/feed/tail.ts');
    await tail(request, terminal);
    return 0;
  },
};
