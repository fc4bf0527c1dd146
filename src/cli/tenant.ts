import { readConfig } from '#config';
import { parseTenantArguments, usage } from '../tools/tenant/arguments.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate tenant` moves organizations between cells. */
export const program: Program = {
  usage,
  async run(terminal) {
    const request = parseTenantArguments(terminal.args);
    if (request.command === 'help') return void terminal.print(usage);
    const config = readConfig(terminal.environment);
    // Loaded only now, so that bad arguments are refused at once.
    const { runTenant } = await import('../tools/tenant/run-tenant.ts');
    await runTenant(request, config, terminal);
    return 0;
  },
};
