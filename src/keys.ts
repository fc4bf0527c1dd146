import { readConfig } from '#config';
import { parseKeysArguments, usage } from '#server/keys-arguments.ts';
import { failTool } from '#server/tool-failure.ts';

try {
  const request = parseKeysArguments(process.argv.slice(2));
  if (request.command === 'help') process.stdout.write(usage);
  else {
    const config = readConfig();
    // Loaded only now, so that bad arguments are refused at once.
    const { runKeys } = await import('#server/run-keys.ts');
    await runKeys(request, config);
  }
} catch (error) {
  failTool(error, usage);
}
