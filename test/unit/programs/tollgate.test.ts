import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { programs } from '../../../src/cli/programs.ts';
import { runTollgate } from '../../../src/cli/run-tollgate.ts';
import { withProfile } from '../../../src/tools/profile.ts';

/** The end of the command and its output. */
async function run(...args: string[]) {
  const written = { stdout: '', stderr: '' };
  const code = await runTollgate({
    args,
    environment: {},
    print: (text) => {
      written.stdout += text;
    },
    tell: (text) => {
      written.stderr += text;
    },
    input: async () => '',
    stop: () => new AbortController().signal,
  });
  return { code, ...written };
}

test('each program has a usage with its name, which --help prints', async () => {
  for (const name of Object.keys(programs)) {
    const { code, stdout } = await run(name, '--help');
    expect([name, code], stdout).toEqual([name, 0]);
    expect(stdout).toMatch(new RegExp(`^Usage: tollgate ${name}\\b`));
    expect(await run('help', name)).toEqual({ code: 0, stdout, stderr: '' });
  }
});

test('without a program, the command lists all of them', async () => {
  const listed = await run();
  for (const name of Object.keys(programs)) expect(listed.stdout).toContain(`\n ${name} `);
  expect(await run('--help')).toEqual(listed);
});

describe('a profile', () => {
  /** The home of a user with these profiles. */
  async function home(profiles: string) {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-home-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(path.join(folder, '.config/tollgate'), { recursive: true });
    await writeFile(path.join(folder, '.config/tollgate/profiles.json'), profiles);
    return folder;
  }

  const profiles =
    '{"here": {"url": "https://a.example.com", "key": "k"}, "there": {"url": "https://b.example.com"}}';

  test('gives its address and its key to a program, wherever it is named', async () => {
    const HOME = await home(profiles);
    const environment = { HOME, URL: 'http://other', KEY: 'own' };
    for (const args of [
      ['api', 'GET', '/', '--profile', 'here'],
      ['--profile=here', 'api', 'GET', '/'],
    ]) {
      expect(await withProfile({ args, environment })).toEqual({
        args: ['api', 'GET', '/'],
        environment: { HOME, URL: 'https://a.example.com', KEY: 'k' },
      });
    }
    const there = await withProfile({ args: ['--profile', 'there'], environment });
    expect(there.environment).toMatchObject({ URL: 'https://b.example.com', KEY: 'own' });
  });

  test.for([
    [
      'an unknown name',
      profiles,
      'nowhere',
      /has no profile nowhere\. Its profiles are here, there/,
    ],
    ['another form', '{"here": {"adress": "x"}}', 'here', /cannot be used: [\s\S]*adress/],
    ['no JSON', 'here', 'here', /cannot be used: .*JSON/],
  ] as const)('is refused for %s', async ([, content, name, why]) => {
    const environment = { HOME: await home(content) };
    await expect(withProfile({ args: ['--profile', name], environment })).rejects.toThrow(why);
  });

  test('is not looked for where none is named', async () => {
    const given = { args: ['keys', 'list'], environment: { HOME: '/nowhere' } };
    expect(await withProfile(given)).toEqual(given);
  });
});

test('bash completes programs, commands and options by the script', async () => {
  const { stdout: script } = await run('completion', 'bash');
  const completed = (...words: string[]) => {
    const line = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _tollgate; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', `${script}\n${line}`], { encoding: 'utf8' }).trim();
  };
  expect(completed('tollgate', 'li')).toBe('listen');
  expect(completed('tollgate', 'keys', 're')).toBe('revoke');
  expect(completed('tollgate', 'listen', '--fo')).toBe('--forward-to');
  expect((await run('completion', 'tcsh')).stderr).toMatch(/^There is no completion for tcsh\n/);
});
