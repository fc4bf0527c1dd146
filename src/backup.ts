import { readConfig } from '#config';
import { failTool } from '#server/tool-failure.ts';
import { backupUsage, parseBackupArguments } from './backup/arguments.ts';
import { runBackup } from './backup/run-backup.ts';

try {
  const request = parseBackupArguments(process.argv.slice(2));
  if (request) await runBackup(request, readConfig());
  else process.stdout.write(backupUsage);
} catch (error) {
  failTool(error, backupUsage);
}
