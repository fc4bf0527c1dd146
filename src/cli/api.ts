import { parseApiArguments, usage } from '../tools/api/arguments.ts';
import { callApi } from '../tools/api/call-api.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate api` calls REST and prints the answer for people. */
export const program: Program = {
  usage,
  async run(terminal) {
    const call = parseApiArguments(terminal.args);
    if (!call) return void terminal.print(usage);
    return callApi(call, terminal);
  },
};
