import { readConfig } from '#config';
import { failTool } from '#server/tool-failure.ts';
import { parseUsersArguments, usage } from '#server/users-arguments.ts';

try {
  const request = parseUsersArguments(process.argv.slice(2));
  if (request.command === 'help') process.stdout.write(usage);
  else {
    const config = readConfig();
    // Loaded only now, so that bad arguments are refused at once.
    const { runUsers } = await import('#server/run-users.ts');
    await runUsers(request, config);
  }
} catch (error) {
  failTool(error, usage);
}
