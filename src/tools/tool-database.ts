import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from '#config';
import { connect, type Preparation, prepareDatabase } from '#server/database/database.ts';
import { configuredUrls, embeddedUrls, placeOfDatabase } from '#server/database/database-roles.ts';
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/embedded-postgres/embedded-postgres.ts';
import { openSecretsKeys } from '#server/secrets/open-secrets-keys.ts';

interface ToolDatabase {
  readonly orm: MikroORM;
  /** The secret key of an organization that the preparation has founded. */
  readonly credential: string | undefined;
}

/**
 * Opens the database for a command line tool, also while a process of the service uses it. Without DATABASE_URL it is
 * the embedded one, which starts unless a process runs it. The keys of stored secrets are read first. Everything ends
 * with `opened`. Errors: those of `prepareDatabase`; DataDirError.
 */
export async function openToolDatabase(
  opened: AsyncDisposableStack,
  config: Config,
  {
    poolSize = 2,
    ...preparation
  }: Omit<Preparation, 'serviceUrl' | 'directUrl'> & { poolSize?: number },
): Promise<ToolDatabase> {
  await openSecretsKeys(config);
  const { serviceUrl, directUrl, ownerUrl } = config.databaseUrl
    ? configuredUrls(config.databaseUrl, config)
    : await embeddedUrls(
        (await findRunningPostgres(config.dataDir)) ??
          opened.use(await startEmbeddedPostgres(config)).databaseUrl,
      );
  const pooled = config.databaseDirectUrl !== undefined;
  const credential = await prepareDatabase(ownerUrl, {
    ...preparation,
    serviceUrl,
    place: placeOfDatabase(config, ownerUrl),
    ...(pooled && { directUrl }),
  });
  // Work of a tool has no time limit, so it does without the pooler.
  const orm = await connect({ databaseUrl: directUrl, poolSize });
  opened.defer(() => orm.close());
  return { orm, credential };
}

/** The same for long work on an organization, which is founded without a key where the database has none. */
export const openForWork = (opened: AsyncDisposableStack, config: Config) =>
  openToolDatabase(opened, config, {
    credential: config.bootstrapSecretKey,
    now: new Date(),
    currency: config.bootstrapCurrency,
    withoutKey: true,
    poolSize: 10,
  });
