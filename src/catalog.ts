import { parseCatalogArguments, usage } from '#server/catalog-arguments.ts';
import { CatalogError, exportCatalog, runDocument } from '#server/catalog-commands.ts';
import { UsageError } from '#server/usage-error.ts';

try {
  // biome-ignore lint/style/noProcessEnv: an address and a key in the environment serve all tools at once
  const request = parseCatalogArguments(process.argv.slice(2), process.env);
  if (request.command === 'help') process.stdout.write(usage);
  else if (request.command === 'export') await exportCatalog(request);
  else process.exitCode = await runDocument(request);
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(explain(error));
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  const { message, stack } = error as Error;
  return `${error instanceof CatalogError ? message : (stack ?? message)}\n`;
}
