import { readConfig } from '#config';
import { parseKeysArguments, usage } from '../tools/keys/arguments.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate keys` creates, lists and revokes API keys. */
export const program: Program = {
  usage,
  async run(terminal) {
    const request = parseKeysArguments(terminal.args);
    if (request.command === 'help') return void terminal.print(usage);
    const config = readConfig(terminal.environment);
    // Loaded only now, so that bad arguments are refused at once.
    const { runKeys } = await import('../tools/keys/run-keys.ts');
    await runKeys(request, config, terminal);
    return 0;
  },
};
