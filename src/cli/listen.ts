import { parseListenArguments, listenUsage as usage } from '../tools/feed/arguments.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate listen` sends events as webhooks to a local address. */
export const program: Program = {
  usage,
  async run(terminal) {
    const request = parseListenArguments(terminal);
    if (!request) return void terminal.print(usage);
    // Loaded only now, so that bad arguments are refused at once.
    const { listen } = await import('../tools/feed/listen.ts');
    await listen(request, terminal);
    return 0;
  },
};
