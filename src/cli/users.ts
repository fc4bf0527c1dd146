import { readConfig } from '#config';
import type { Program } from '../tools/terminal.ts';
import { parseUsersArguments, usage } from '../tools/users/arguments.ts';

/** `tollgate users` invites, lists, resets and deactivates operators. */
export const program: Program = {
  usage,
  async run(terminal) {
    const request = parseUsersArguments(terminal.args);
    if (request.command === 'help') return void terminal.print(usage);
    const config = readConfig(terminal.environment);
    // Loaded only now, so that bad arguments are refused at once.
    const { runUsers } = await import('../tools/users/run-users.ts');
    await runUsers(request, config, terminal);
    return 0;
  },
};
