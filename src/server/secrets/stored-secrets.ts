import type { EntityManager } from '@mikro-orm/postgresql';
import { ConfigError } from '#config';
import { open, seal, secretsKeys } from '#domain/kernel/security/secrets.ts';

interface SecretColumn {
  readonly table: string;
  readonly column: string;
  /** The part of the context that names the row, as SQL. */
  readonly row: string;
}

/** Every column with secrets. The context of its texts is the table's name and the row. */
const columns: readonly SecretColumn[] = [
  { table: 'webhook', column: 'secret', row: 'id' },
  { table: 'webhook', column: 'previous_secret', row: 'id' },
  { table: 'organization_settings', column: 'document_secret', row: 'id' },
  { table: 'organization_settings', column: 'tax_service_secret', row: 'id' },
  { table: 'payment_method', column: 'token', row: 'id' },
  { table: 'payment', column: 'action_url', row: 'id' },
  { table: 'payment_method_setup', column: 'url', row: 'id' },
  { table: 'processor_account', column: 'secret_key', row: 'id' },
  { table: 'processor_account', column: 'webhook_secret', row: 'id' },
  { table: 'processor_account', column: 'previous_webhook_secret', row: 'id' },
  { table: 'operator', column: 'totp_secret', row: 'id' },
  { table: 'operator', column: 'pending_totp_secret', row: 'id' },
  { table: 'idempotency_key', column: 'answer', row: 'fingerprint' },
];

const batch = 500;

/**
 * Checks that this process can open the stored secrets: every key in use must be in SECRETS_KEY. On a database from
 * before encryption it encrypts them. Errors: ConfigError, naming the missing key.
 */
export async function checkSecretsKeys(em: EntityManager): Promise<void> {
  const used = await requireSecretsKeys(em);
  await nameCurrentKey(em);
  if (used === 0) await reseal(em);
}

/** Returns how many keys are in use, and changes nothing. Errors: ConfigError for one that SECRETS_KEY lacks. */
export async function requireSecretsKeys(em: EntityManager): Promise<number> {
  const used = await em.execute<{ id: string }[]>('select id from secrets_key');
  const known = new Set(secretsKeys().map(({ id }) => id));
  const missing = used.map(({ id }) => id).filter((id) => !known.has(id));
  if (missing.length === 0) return used.length;
  throw new ConfigError(
    `SECRETS_KEY lacks the key ${missing.join(', ')}, which stored secrets are encrypted with: add it after the first one, or restore the file secrets-key of DATA_DIR`,
  );
}

/**
 * Encrypts every stored secret with the first key where it is not yet, a batch at a time, also while the service
 * runs. After that no other key is needed. Returns how many secrets it encrypted.
 */
export async function resealSecrets(em: EntityManager): Promise<number> {
  const [current] = secretsKeys();
  await nameCurrentKey(em);
  const count = await reseal(em);
  await em.execute('delete from secrets_key where id <> ?', [current?.id]);
  return count;
}

async function nameCurrentKey(em: EntityManager) {
  const [current] = secretsKeys();
  if (!current) throw new ConfigError('SECRETS_KEY must be set');
  await em.execute(
    'insert into secrets_key (id, created_at) values (?, now()) on conflict do nothing',
    [current.id],
  );
}

async function reseal(em: EntityManager): Promise<number> {
  let count = 0;
  for (const column of columns) {
    for (let more = true; more; ) {
      const changed = await resealBatch(em, column);
      count += changed;
      more = changed === batch;
    }
  }
  return count;
}

function resealBatch(em: EntityManager, { table, column, row }: SecretColumn): Promise<number> {
  const [current] = secretsKeys();
  return em.transactional(async (em) => {
    const rows = await em.execute<{ place: string; row: string; stored: string }[]>(
      `select ctid::text as place, ${row} as row, ${column} as stored from ${table}
       where ${column} is not null and ${column} not like ? limit ${batch} for no key update`,
      [`sealed:${current?.id}:%`],
    );
    for (const { place, row, stored } of rows) {
      const context = `${table} ${row}`;
      await em.execute(`update ${table} set ${column} = ? where ctid = ?::tid`, [
        seal(open(stored, context), context),
        place,
      ]);
    }
    return rows.length;
  });
}
