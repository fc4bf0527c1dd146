import { afterEach, expect } from 'vitest';
import {
  newSecretsKey,
  open,
  seal,
  secretsKeyFrom,
  secretsKeys,
  useSecretsKeys,
} from '#domain/kernel/security/secrets.ts';
import { forgetPreviousSecrets } from '#domain/platform/commands/webhooks/forget-previous-secrets.ts';
import { checkSecretsKeys, resealSecrets } from '#server/secrets/stored-secrets.ts';
import { aCustomer, aPaymentMethod } from '../../support/factories.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const usual = secretsKeys();
afterEach(() => useSecretsKeys(usual));

const another = () => {
  const key = secretsKeyFrom(newSecretsKey());
  if (!key) throw new Error('A new key is no key');
  return key;
};

const stored = (session: { em: { execute(sql: string): Promise<unknown> } }) =>
  session.em.execute(`select
    (select jsonb_agg(jsonb_build_array(secret, previous_secret)) from webhook) as webhooks,
    (select jsonb_agg(token) from payment_method) as tokens,
    (select jsonb_agg(document_secret) from organization_settings) as documents,
    (select jsonb_agg(answer) from idempotency_key) as answers`);

test('a secret opens with its own context and key only, and keys come as base64 or hexadecimal', () => {
  const sealed = seal('whsec_fake', 'webhook webhook_1');
  expect(sealed).toMatch(/^sealed:[0-9a-f]{8}:/);
  expect(open(sealed, 'webhook webhook_1')).toBe('whsec_fake');
  expect(seal('whsec_fake', 'webhook webhook_1')).not.toBe(sealed);
  expect(() => open(sealed, 'webhook webhook_2')).toThrow();
  expect(() => open(`${sealed.slice(0, -2)}AA`, 'webhook webhook_1')).toThrow();
  useSecretsKeys([another()]);
  expect(() => open(sealed, 'webhook webhook_1')).toThrow(/lacks the key/);
  const hex = 'ab'.repeat(32);
  expect(secretsKeyFrom(hex)).toEqual(secretsKeyFrom(Buffer.from(hex, 'hex').toString('base64')));
  for (const bad of ['', 'short', 'ab'.repeat(31), `${newSecretsKey()}x`]) {
    expect(secretsKeyFrom(bad), bad).toBeUndefined();
  }
});

test('no secret is in the database in plain text: of webhooks, payment methods, documents and kept answers', async ({
  api,
  session,
}) => {
  const create = () =>
    api(
      'POST',
      '/webhooks',
      { webhook: { name: 'W', url: 'https://example.com', filterTypes: ['product.updated'] } },
      { headers: { 'idempotency-key': 'once' } },
    );
  const { body } = await create();
  const { secret, webhook } = body;
  const rotated = await api('POST', `/webhooks/${webhook.id}/rotate-secret`, {});
  const customer = await aCustomer(session);
  await aPaymentMethod(session, customer.id);
  const dump = JSON.stringify(await stored(session));
  for (const text of [secret, rotated.body.secret, 'sandbox_success', 'whsec_']) {
    expect(dump).not.toContain(text);
  }
  const again = await create();
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body.secret).toBe(secret);

  const later = new Date(Date.now() + 2 * 86_400_000);
  expect(await forgetPreviousSecrets(session.em.fork(), later)).toBe(1);
  const [row] = await session.em.execute(
    'select previous_secret, previous_secret_until from webhook',
  );
  expect(row).toEqual({ previous_secret: null, previous_secret_until: null });
});

test('what was stored before is encrypted, a new first key takes over, and a missing key is reported at once', async ({
  database,
  session,
}) => {
  const em = database.orm.em.fork();
  const customer = await aCustomer(session);
  const method = await aPaymentMethod(session, customer.id);
  const tokenOf = async () => {
    const [row] = await em.execute<[{ token: string }]>(
      'select token from payment_method where id = ?',
      [method.id],
    );
    return row.token;
  };
  await em.execute(`update payment_method set token = 'sandbox_success'`);
  await em.execute('delete from secrets_key');
  await checkSecretsKeys(em);
  const before = await tokenOf();
  expect(open(before, `payment_method ${method.id}`)).toBe('sandbox_success');

  const next = another();
  useSecretsKeys([next, ...usual]);
  await checkSecretsKeys(em);
  expect(await tokenOf()).toBe(before);
  expect(await resealSecrets(em)).toBeGreaterThan(0);
  expect(await resealSecrets(em)).toBe(0);
  expect(await tokenOf()).toContain(`sealed:${next.id}:`);
  useSecretsKeys([next]);
  await checkSecretsKeys(em);
  expect(open(await tokenOf(), `payment_method ${method.id}`)).toBe('sandbox_success');

  useSecretsKeys([another()]);
  await expect(checkSecretsKeys(em)).rejects.toThrow(`SECRETS_KEY lacks the key ${next.id}`);
  useSecretsKeys([...usual, next]);
  await resealSecrets(em);
});
