import { readConfig } from '#config';
import { parseImportArguments, usage } from '../tools/import/arguments.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate import` reads an export of another system. The exit code is 1 where something is not carried over. */
export const program: Program = {
  usage,
  async run(terminal) {
    const request = parseImportArguments(terminal.args);
    if (!request) return void terminal.print(usage);
    // Loaded only now, so that bad arguments are refused at once.
    const { importInto } = await import('../tools/import/import-into.ts');
    const report = await importInto(request, readConfig(terminal.environment));
    terminal.print(`${report.lines(request.applies).join('\n')}\n`);
    if (!request.applies) terminal.print('Nothing is written without --apply\n');
    return report.isComplete ? 0 : 1;
  },
};
