import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { nkeys } from '@nats-io/transport-node';
import { describe, expect, test } from 'vitest';
import { readConfig } from '#config';
import { openUsageStream } from '#server/usage-stream/open-usage-stream.ts';
import { preparedUrl } from '../../support/database.ts';
import { linesTo } from '../../support/log.ts';
import { dataFolder, startService } from '../../support/process.ts';
import { type Nats, natsServer, startNats } from '../../support/servers/nats.ts';

const run = promisify(execFile);
const authorization = /^authorization \{[\s\S]*?^\}/m;
const without = natsServer ? '' : ' (skipped: there is no NATS server here)';

type Settings = Readonly<Record<string, string>>;

/** Whether a process with these settings can use the stream at once, and the problems in its log. */
async function open(settings: Settings) {
  const log: Record<string, unknown>[] = [];
  await using stream = await openUsageStream(configOf(settings), linesTo(log));
  return { isReady: stream.isReady(), log: JSON.stringify(log) };
}

/** A process with these settings can use the stream, on a busy machine a while later. */
async function expectOpen(settings: Settings) {
  await using stream = await openUsageStream(configOf(settings), linesTo([]));
  await expect.poll(() => stream.isReady()).toBe(true);
}

function configOf(settings: Settings) {
  const { nats } = readConfig({ NATS_REPLICAS: '1', ...settings });
  if (!nats) throw new Error('There are no settings');
  return nats;
}

/** The settings with other names and secrets in the addresses. */
const as = ({ settings }: Nats, user: string): Settings => ({
  ...settings,
  NATS_URLS: String(settings.NATS_URLS).replaceAll('tollgate:change-me@', user),
});

describe.skipIf(!natsServer)(`the access to NATS${without}`, () => {
  test('is that of a user with a password, and a wrong one is named in the log', async () => {
    await using nats = await startNats({ size: 1 });
    await expectOpen(nats.settings);
    const wrong = await open(as(nats, 'tollgate:wrong@'));
    expect(wrong.isReady).toBe(false);
    expect(wrong.log).toContain('Authorization Violation');
    expect(wrong.log).not.toContain('wrong@');
  });

  test('is that of a token', async () => {
    const change = (text: string) =>
      text.replace(authorization, 'authorization { token: "a-fake-token" }');
    await using nats = await startNats({ size: 1, change });
    await expectOpen(as(nats, 'a-fake-token@'));
    expect(await open(as(nats, 'another-token@'))).toMatchObject({ isReady: false });
  });

  test('is that of a file with credentials', async () => {
    const { configuration, credentials } = accountOf();
    const change = (text: string) => text.replace(authorization, configuration);
    await using nats = await startNats({ size: 1, change });
    const file = path.join(await dataFolder(), 'tollgate.creds');
    await writeFile(file, credentials);
    const named = { ...as(nats, ''), NATS_CREDENTIALS_FILE: file };
    await expectOpen(named);
    expect(await open(as(nats, ''))).toMatchObject({ isReady: false });
    await writeFile(file, accountOf().credentials);
    expect(await open(named)).toMatchObject({ isReady: false });
  });

  test('is encrypted, for a process that knows who has signed the certificate', async () => {
    const folder = await dataFolder();
    const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    await run('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=nats'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
    ]);
    const change = (text: string) =>
      `${text}\ntls { cert_file: "${certificate}", key_file: "${key}" }\n`;
    await using nats = await startNats({ size: 1, change });
    const NATS_URLS = String(nats.settings.NATS_URLS)
      .replaceAll('nats://', 'tls://')
      .replaceAll('127.0.0.1', 'localhost');
    const settings = { ...nats.settings, NATS_URLS, NATS_REPLICAS: '1', CRON: 'off' };
    expect(await open({ ...settings, TOLLGATE_CELL: 'unknown' })).toMatchObject({
      isReady: false,
      log: expect.stringContaining('self-signed certificate'),
    });
    const service = await startService({
      ...settings,
      DATABASE_URL: await preparedUrl(),
      NODE_EXTRA_CA_CERTS: certificate,
    });
    const ready = await (await fetch(`${service.url}/ready`)).json();
    expect(ready).toMatchObject({ usageStream: { usable: true } });
  });
});

interface Claims {
  readonly sub: string;
  readonly name: string;
  readonly nats: object;
}

/** An account of an operator, as the configuration of a server; and the credentials of one of its users. */
function accountOf() {
  const [operator, system, account, user] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createAccount(),
    nkeys.createUser(),
  ];
  const limits = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true };
  const jetstream = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const of = (issuer: nkeys.KeyPair, claims: Claims) => tokenOf(issuer, claims);
  const [operatorToken, systemToken, accountToken, userToken] = [
    of(operator, {
      sub: operator.getPublicKey(),
      name: 'fake',
      nats: { type: 'operator', version: 2, system_account: system.getPublicKey() },
    }),
    of(operator, {
      sub: system.getPublicKey(),
      name: 'system',
      nats: { type: 'account', version: 2, limits: { ...limits, conn: -1, leaf: -1 } },
    }),
    of(operator, {
      sub: account.getPublicKey(),
      name: 'usage',
      nats: {
        type: 'account',
        version: 2,
        limits: { ...limits, ...jetstream, conn: -1, leaf: -1 },
      },
    }),
    of(account, {
      sub: user.getPublicKey(),
      name: 'tollgate',
      nats: { type: 'user', version: 2, pub: {}, sub: {}, subs: -1, data: -1, payload: -1 },
    }),
  ];
  const configuration = `operator: ${operatorToken}
resolver: MEMORY
resolver_preload: {
  ${system.getPublicKey()}: ${systemToken}
  ${account.getPublicKey()}: ${accountToken}
}`;
  const seed = new TextDecoder().decode(user.getSeed());
  const credentials = `-----BEGIN NATS USER JWT-----
${userToken}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------
`;
  return { configuration, credentials };
}

/** A signed token, as servers of NATS verify it. */
function tokenOf(issuer: nkeys.KeyPair, claims: Claims): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = { iat: Math.floor(Date.now() / 1_000), iss: issuer.getPublicKey(), ...claims };
  const jti = createHash('sha256').update(JSON.stringify(body)).digest('hex').toUpperCase();
  const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part({ jti, ...body })}`;
  const signature = issuer.sign(new TextEncoder().encode(text));
  return `${text}.${Buffer.from(signature).toString('base64url')}`;
}
