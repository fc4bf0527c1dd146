import { readConfig } from '#config';
import type { Program } from '#server/terminal.ts';
import { parseTenantArguments, usage } from '../tenant/arguments.ts';

/** `npm run tenant` moves organizations between cells. */
export const program: Program = {
  usage,
  async run(terminal) {
    const request = parseTenantArguments(terminal.args);
    if (request.command === 'help') return void terminal.print(usage);
    const config = readConfig(terminal.environment);
    // Loaded only now, so that bad arguments are refused at once.
    const { runTenant } = await import('../tenant/run-tenant.ts');
    await runTenant(request, config, terminal);
    return 0;
  },
};
