import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { programs } from '../../src/cli/programs.ts';
import { emptyUrl, preparedUrl } from '../support/database.ts';
import { dataFolder, runToEnd, startService } from '../support/process.ts';
import { templateKey } from '../support/secrets.ts';

/** Other tests run the programs by `runHere`, without a process. */
test('each program does its work in a process of its own, and ends by itself', async () => {
  const folder = await dataFolder();
  const DATABASE_URL = await preparedUrl();
  const service = await startService({ DATABASE_URL, CRON: 'off' });
  const exported = join(folder, 'export');
  await mkdir(exported);
  await writeFile(join(exported, 'customers.json'), '[]');
  const scenario = join(folder, 'one.yaml');
  await writeFile(scenario, 'name: Nothing\nsteps: [{expect: {customers: []}}]\n');
  const backup = join(folder, 'backup.tar.gz');

  const runs: readonly (readonly [string[], RegExp, Record<string, string>?])[] = [
    [['keys', 'list'], /^ID +TYPE [\s\S]*\napikey_/],
    [['users', 'list'], /^ID +E-MAIL /],
    [['processors', 'list'], /^$/],
    [['keys', 'list', '--json'], /^\[\n {2}\{\n {4}"id": "apikey_/],
    [['users', 'list', '--json'], /"operators": \[\]/],
    [['processors', 'list', '--json'], /^\[\]\n$/],
    [['tenant', 'list', '--json'], /"state": "here"/],
    [['books', '--json'], /"customers": 0,/],
    [['doctor', '--json'], /^\[\n {2}\{\n {4}"level": /],
    [['books'], /^0 customers checked, 0 with a difference\n$/],
    [['catalog', 'export'], /^name: /, { URL: service.url, KEY: templateKey }],
    [['demo', 'remove'], /^There is no demo to remove\n$/],
    [['doctor'], /\d+ ok, \d+ warnings, \d+ errors\n/],
    [['import', exported], /Nothing is written without --apply\n$/],
    [['scenario', scenario], /1 as expected, 0 with differences\n$/],
    [['api', 'GET', '/products'], /^\{\n {2}"data": \[/, { URL: service.url, KEY: templateKey }],
    [['open', '--no-browser'], /^http:\/\/127\.0\.0\.1:4000\/#key=sk_test_\w+\nThe link is valid /],
    [['completion', 'bash'], /\n {6}keys\) words="create list revoke --/],
    [['help'], /^Usage: tollgate PROGRAM [\s\S]*\n {1}start {2,}runs the service\n/],
    [['help', 'keys'], /^Usage: tollgate keys <command>/],
    [['--version'], new RegExp(`^${packageJson.version}\\n$`)],
    [['secrets', 'new'], /^\S{44}\n$/],
    [['secrets', 'reseal'], /^\d+ secrets encrypted /],
    [['tenant', 'list'], /^ID +ROUTE /],
    [['backup', backup], /rows of \d+ tables/],
    [
      ['restore', backup],
      /^Restored: .* 0 with a difference\n/,
      { DATABASE_URL: await emptyUrl() },
    ],
  ];
  for (const [args, says, settings = {}] of runs) {
    const ended = await runToEnd(['src/tollgate.ts', ...args], { DATABASE_URL, ...settings });
    expect(`${ended.stdout}${ended.stderr}`, args.join(' ')).toMatch(says);
    expect(ended.stderr, args.join(' ')).not.toMatch(/\n {4}at /);
  }

  const names = Object.keys(programs);
  const apart = ['start', 'cron', 'tail', 'listen'];
  expect([...runs.map(([[name]]) => name), ...apart].sort()).toEqual(
    expect.arrayContaining(names.toSorted()),
  );
  const unknown = await runToEnd(['src/tollgate.ts', 'toString'], {});
  expect(unknown).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no program toString. The programs are ${names.join(', ')}\n`,
  });
});
