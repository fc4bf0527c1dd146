import type { Config } from '#config';
import { presentOf } from '#domain/kernel/values/present.ts';
import { checkBooks } from '#domain/money/commands/books/check-books.ts';
import { connect, prepareDatabase } from '#server/database/database.ts';
import { configuredUrls, embeddedUrls } from '#server/database/database-roles.ts';
import { checkSecretsKeys } from '#server/secrets/stored-secrets.ts';
import { restoreBackup } from './restore-backup.ts';

/** An own server, or an embedded one by the address of its administrator. */
export type Target =
  | {
      readonly databaseUrl: string;
      readonly config: Pick<Config, 'databaseDirectUrl' | 'databaseOwnerUrl'>;
    }
  | { readonly embeddedUrl: string };

/**
 * Prepares an empty database, restores a backup into it, and checks the books. Returns a sentence on it. Errors:
 * ConfigError.
 */
export async function restoreInto(target: Target, file: string): Promise<string> {
  const { serviceUrl, directUrl, ownerUrl } =
    'embeddedUrl' in target
      ? await embeddedUrls(target.embeddedUrl)
      : configuredUrls(target.databaseUrl, target.config);
  const isPooled = 'config' in target && target.config.databaseDirectUrl !== undefined;
  await prepareDatabase(ownerUrl, {
    serviceUrl,
    now: new Date(),
    founds: false,
    ...(isPooled && { directUrl }),
  });
  const administratorUrl = 'embeddedUrl' in target ? target.embeddedUrl : ownerUrl;
  const { createdAt, tables, rows } = await restoreBackup(administratorUrl, file);
  await using opened = new AsyncDisposableStack();
  const orm = await connect({ databaseUrl: directUrl, poolSize: 2 });
  opened.defer(() => orm.close());
  await checkSecretsKeys(orm.em.fork());
  const now = await presentOf(orm.em);
  const problems: unknown[] = [];
  const books = await checkBooks(orm.em.fork(), now, 'restore', (error) => problems.push(error));
  return `${rows} rows of ${tables} tables are those of ${createdAt}; the books of ${books.customers} customers were checked, ${books.differences} with a difference`;
}
