import { readConfig } from '#config';
import { failTool } from '#server/tool-failure.ts';
import { parseRestoreArguments, restoreUsage } from './backup/arguments.ts';
import { runRestore } from './backup/run-restore.ts';

try {
  const request = parseRestoreArguments(process.argv.slice(2));
  if (request) await runRestore(request.file, readConfig());
  else process.stdout.write(restoreUsage);
} catch (error) {
  failTool(error, restoreUsage);
}
