import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { releaseProblems } from '../../bench/release-problems.ts';
import client from '../../dashboard/client/package.json' with { type: 'json' };
import dashboard from '../../dashboard/package.json' with { type: 'json' };
import service from '../../package.json' with { type: 'json' };

const changelog =
  '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2027-01-31\n\n### Added\n\n- One.\n';
const ready = { changes: '', versions: { a: '1.2.0', b: '1.2.0' }, changelog, tags: ['v1.1.0'] };

test('a version with a day, an entry and a clean tree may be released', () => {
  expect(releaseProblems(ready)).toEqual([]);
});

test.for([
  ['changes', { changes: ' M a.ts\n' }, /not committed/],
  ['several versions', { versions: { a: '1.2.0', b: '1.1.0' } }, /Several versions/],
  [
    'an odd version',
    { versions: { a: 'next' }, changelog: '## [next] - \n- One.\n' },
    /next is no version/,
  ],
  ['a tag of it', { tags: ['v1.2.0'] }, /v1\.2\.0 is there already/],
  ['no section', { versions: { a: '1.3.0' } }, /no section \[1\.3\.0\]/],
  ['no day', { changelog: changelog.replace(' - 2027-01-31', '') }, /no section \[1\.2\.0\] with/],
  ['no entry', { changelog: changelog.replace('- One.', '') }, /no entry for 1\.2\.0/],
  ['others', { changelog: changelog.replace('d]\n', 'd]\n\n- Two.\n') }, /entries of no version/],
] as const)('%s keep a version from being released', ([, change, problem]) => {
  expect(releaseProblems({ ...ready, ...change })).toEqual([expect.stringMatching(problem)]);
});

test('the present version is stated once, with its licence, and is in the changelog', () => {
  const versions = {
    service: service.version,
    dashboard: dashboard.version,
    client: client.version,
  };
  const present = readFileSync('CHANGELOG.md', 'utf8');
  expect(releaseProblems({ ...ready, versions, changelog: present })).toEqual([]);
  expect(dashboard.devDependencies['@tollgate/client']).toBe(client.version);
  expect([service, dashboard, client].map(({ license }) => license)).toEqual(
    Array.from({ length: 3 }, () => 'Apache-2.0'),
  );
});
