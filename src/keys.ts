import { ConfigError, readConfig } from '#config';
import { DomainError } from '#domain/kernel/errors.ts';
import { DataDirError } from '#server/embedded-postgres/data-dir-lock.ts';
import { parseKeysArguments, UsageError, usage } from '#server/keys-arguments.ts';

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
  fail(error);
}

function fail(error: unknown) {
  process.exitCode = 1;
  if (error instanceof UsageError) return tell(`${error.message}\n\n${usage}`);
  const expected = [ConfigError, DataDirError, DomainError].some((type) => error instanceof type);
  tell(`${expected ? explain(error as Error) : ((error as Error).stack ?? error)}\n`);
}

function explain(error: Error) {
  const issues = error instanceof DomainError ? error.issues : [];
  const details = issues.flatMap(({ path, message }) =>
    path.length > 0 ? `${path.join('.')} ${message}` : [],
  );
  return [error.message, ...details].join(': ');
}

function tell(text: string) {
  process.stderr.write(text);
}
