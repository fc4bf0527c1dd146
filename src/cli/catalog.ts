import { parseCatalogArguments, usage } from '../tools/catalog/arguments.ts';
import { exportCatalog, runDocument } from '../tools/catalog/commands.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate catalog` exports, plans and applies documents of a pricing model, over HTTP. */
export const program: Program = {
  usage,
  async run(terminal) {
    const request = parseCatalogArguments(terminal.args, terminal.environment);
    if (request.command === 'help') return void terminal.print(usage);
    if (request.command !== 'export') return runDocument(request, terminal);
    await exportCatalog(request, terminal);
    return 0;
  },
};
