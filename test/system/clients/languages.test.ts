import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { aProduct, aResource, aUsageMeter, fresh } from '../../support/factories.ts';
import { aReceiver, type Received } from '../../support/outside/receiver.ts';
import { aHook, test } from './deliveries.ts';

type Command = readonly [program: string, ...args: string[]];

/** The examples of other languages, with how each is prepared and started. */
const languages = {
  python: {
    needs: ['/usr/bin/python3', '--version'],
    start: () => ['/usr/bin/python3', '-B', resolve('test/clients/python/example.py')],
  },
  go: {
    needs: ['/usr/bin/go', 'version'],
    start(folder) {
      const program = join(folder, 'example');
      const cwd = resolve('test/clients/go');
      const env = { PATH: '/usr/bin:/bin', GOCACHE: join(folder, 'go'), GOPATH: folder };
      execFileSync('/usr/bin/go', ['vet', './...'], { cwd, env });
      execFileSync('/usr/bin/go', ['build', '-o', program, '.'], { cwd, env });
      return [program];
    },
  },
} satisfies Record<string, { needs: Command; start: (folder: string) => string[] }>;

/** Whether a program is installed; golang-go and python3 are packages of Debian. */
function isHere([program, ...args]: Command): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What a program prints, and its exit code. */
async function outputOf(command: readonly string[], env: Record<string, string>, input = '') {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env });
  const exit = once(child, 'exit');
  child.stdin.end(input);
  const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exit;
  return { code, output, problem };
}

/** A plan with 100 credits of a meter, and both slugs. */
async function aMeteredPlan(session: Session) {
  const meter = await aUsageMeter(session);
  const feature = await createFeature(fresh(session), {
    feature: {
      ...{ type: 'usage_credit_grant', name: 'Calls', description: 'Calls', slug: 'free-calls' },
      ...{ amount: 100, usageMeterId: meter.id, renewalFrequency: 'every_billing_period' },
    },
  });
  const price = { slug: 'metered', unitPrice: 1_000 };
  await aProduct(session, { featureIds: [feature.id], price });
  return [price.slug, meter.slug];
}

describe.for(Object.entries(languages))('the example in %s', ([name, { needs, start }]) => {
  const inLanguage = test.skipIf(!isHere(needs as Command));

  inLanguage(
    'bills a customer for a plan and its usage, once',
    async ({ folder, url, tenant, session }) => {
      const command = start(folder);
      const [price = '', meter = ''] = await aMeteredPlan(session);
      const settings = { URL: url, KEY: tenant.key };
      const externalId = `${name}-customer`;
      const { output, problem } = await outputOf(
        [...command, 'bill', price, meter, externalId],
        settings,
      );
      expect(problem).toBe('');
      expect(JSON.parse(output)).toEqual({
        customer: expect.stringMatching(/^cust_/),
        ...{ subscription: 'active', invoices: ['paid'], balances: [70] },
        refusal: [404, 'NOT_FOUND'],
      });
    },
  );

  inLanguage(
    'accepts the webhooks of the service, and nothing that differs',
    async ({ folder, session, deliver }) => {
      const command = start(folder);
      const receiver = await aReceiver();
      const { secret } = await aHook(session, receiver.url);
      const { id } = await aResource(session);
      await deliver();
      const [{ body, headers }] = receiver.received as [Received];
      const verified = (given: Record<string, string>, sent: string, key = secret) =>
        outputOf([...command, 'verify', key, JSON.stringify(given)], {}, sent);
      const { output, problem } = await verified(headers, body);
      expect(problem).toBe('');
      expect(JSON.parse(output)).toEqual({ type: 'resource.created', objectId: id });
      const older = `${Number(headers['webhook-timestamp']) - 301}`;
      for (const [given, sent, key] of [
        [headers, `${body} `, secret],
        [headers, body, `whsec_${Buffer.alloc(24).toString('base64')}`],
        [{ ...headers, 'webhook-id': 'evt_other' }, body, secret],
        [{ ...headers, 'webhook-timestamp': older }, body, secret],
        [{}, body, secret],
      ] as const) {
        expect((await verified(given, sent, key)).code).toBe(1);
      }
    },
  );
});
