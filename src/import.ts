import { readConfig } from '#config';
import { failTool } from '#server/tool-failure.ts';
import { parseImportArguments, usage } from './import/arguments.ts';
import { ImportError } from './import/import-error.ts';

try {
  const request = parseImportArguments(process.argv.slice(2));
  if (!request) process.stdout.write(usage);
  else {
    // Loaded only now, so that bad arguments are refused at once.
    const { importInto } = await import('./import/import-into.ts');
    const report = await importInto(request, readConfig());
    process.stdout.write(`${report.lines(request.applies).join('\n')}\n`);
    if (!request.applies) process.stdout.write('Nothing is written without --apply\n');
    if (!report.isComplete) process.exitCode = 1;
  }
} catch (error) {
  if (error instanceof ImportError) {
    process.exitCode = 1;
    process.stderr.write(`${error.message}\n`);
  } else failTool(error, usage);
}
