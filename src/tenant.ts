import { readConfig } from '#config';
import { failTool } from '#server/tool-failure.ts';
import { parseTenantArguments, usage } from './tenant/arguments.ts';

try {
  const request = parseTenantArguments(process.argv.slice(2));
  if (request.command === 'help') process.stdout.write(usage);
  else {
    const config = readConfig();
    // Loaded only now, so that bad arguments are refused at once.
    const { runTenant } = await import('./tenant/run-tenant.ts');
    await runTenant(request, config);
  }
} catch (error) {
  failTool(error, usage);
}
