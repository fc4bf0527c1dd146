import { expect } from 'vitest';
import { Event } from '#domain/model/platform/event.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { parseUsersArguments } from '../../../../src/tools/users/arguments.ts';
import { aSecondFactor, Browser, codeOf, password } from '../../../support/operators.ts';
import { runHere } from '../../../support/run-here.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('the programs know one organization, that of the whole database');

test('arguments that cannot be used are refused with the reason', () => {
  const refusals: [string[], string][] = [
    [[], 'A command is missing'],
    [['remove'], 'There is no command remove'],
    [['create', '--role', 'owner'], '--email is missing'],
    [['create', '--email', 'ada', '--role', 'owner'], '--email must be an e-mail address, not ada'],
    [['create', '--email', 'ada@example.com'], '--role must be owner, finance, developer, support'],
    [['create', '--email', 'ada@example.com', '--role', 'admin'], 'support, not admin'],
    [['list', '--all'], "Unknown option '--all'"],
    [['deactivate'], '--email is missing'],
  ];
  for (const [args, message] of refusals) {
    expect(() => parseUsersArguments(args), args.join(' ')).toThrow(message);
  }
  expect(parseUsersArguments(['list', '--help'])).toEqual({ command: 'help' });
  const created = ['create', '--email', ' Ada@Example.com', '--role', 'support'];
  expect(parseUsersArguments(created)).toMatchObject({ email: 'ada@example.com' });
});

test('the program creates, lists, resets and deactivates operators of a running service', async ({
  gateway,
  database,
}) => {
  const settings = {
    DATABASE_URL: database.databaseUrl,
    PUBLIC_URL: 'https://billing.example.com',
  };
  const users = (...args: string[]) => runHere(['users', ...args], settings);
  const tokenIn = (text: string) =>
    /^https:\/\/billing\.example\.com\/invitations\/(\w{43})\n$/.exec(text)?.[1] ?? '';
  const email = 'ada@example.com';
  const created = await users('create', '--email', email, '--role', 'owner', '--name', 'Ada');
  expect(created.stderr).toContain(`A link for ${email} (owner)`);
  expect((await users('list')).stdout).toMatch(/ada@example\.com +owner +Ada +invited until/);
  const browser = new Browser(gateway);
  const token = tokenIn(created.stdout);
  expect((await browser.post('/auth/invitations/accept', { token, password })).status).toBe(200);
  expect((await users('create', '--email', email, '--role', 'owner')).stderr).toContain(
    'email is the e-mail of another operator',
  );

  const { secret } = await aSecondFactor(browser);
  const reset = await users('reset-password', '--email', email);
  const next = 'another good password';
  expect((await browser.get('/auth/session')).status).toBe(200);
  const changed = await browser.post('/auth/invitations/accept', {
    token: tokenIn(reset.stdout),
    password: next,
  });
  // The second factor stays, so the link alone signs nobody in.
  expect(changed).toMatchObject({ status: 401, body: { code: 'CODE_REQUIRED' } });
  expect((await browser.get('/auth/session')).status).toBe(401);
  expect((await browser.signIn(email, codeOf(secret, 1))).body.code).toBe('INVALID_CREDENTIALS');
  expect((await browser.signIn(email, codeOf(secret, 1), next)).status).toBe(200);
  expect((await users('reset-second-factor', '--email', email)).stderr).toContain(
    'without a second',
  );
  expect((await browser.get('/auth/session')).status).toBe(401);
  expect((await browser.signIn(email, undefined, next)).status).toBe(200);

  expect((await users('deactivate', '--email', email)).stderr).toContain('last active owner');
  const grace = await users('create', '--email', 'grace@example.com', '--role', 'owner');
  const other = new Browser(gateway);
  await other.post('/auth/invitations/accept', {
    token: tokenIn(grace.stdout),
    name: 'Grace',
    password,
  });
  expect((await users('deactivate', '--email', email)).stderr).toBe(`${email} is deactivated\n`);
  expect((await browser.get('/auth/session')).status).toBe(401);
  expect((await users('list')).stdout).toMatch(/ada@example\.com +owner +Ada +deactivated/);
  expect((await users('reset-password', '--email', 'eve@example.com')).stderr).toContain(
    'There is no operator with the e-mail eve@example.com',
  );
  const em = database.orm.em.fork();
  const [operator] = await em.find(Operator, { email }, { filters: { tenant: false } });
  const { organizationId } = operator as Operator;
  const events = await em.find(
    Event,
    { organizationId, type: 'operator.deactivated' },
    { filters: { tenant: false } },
  );
  expect(events).toMatchObject([{ actorType: 'system', actorId: 'cli' }]);
});
