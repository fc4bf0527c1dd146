import { expect, test } from 'vitest';
import { failedIn, retriedIn, skippedIn } from '../support/repository/report.ts';

const report = (
  file: string,
  status: string,
  failureMessages: string[] = [],
  tags: string[] = [],
) => ({
  name: file,
  assertionResults: [{ fullName: 'seats are sold once', status, failureMessages, tags }],
});

test('a test that has failed, or has passed after a failure, is named with it', () => {
  const file = 'test/system/claims-process.test.ts';
  const failure = 'Error: the port is used\n    at listen';
  expect(retriedIn([report(file, 'passed', [failure]), report(file, 'failed', [failure])])).toEqual(
    [`Retried: ${file} > seats are sold once: Error: the port is used`],
  );
  expect(retriedIn([report(file, 'passed')])).toEqual([]);
  expect(failedIn([report(file, 'passed', [failure]), report(file, 'failed', [failure])])).toEqual([
    `FAILED: ${file} > seats are sold once: Error: the port is used`,
  ]);
});

test('skipped tests are counted by file, with the package of the program that they lack', () => {
  const file = 'test/system/deploy/pgbouncer.test.ts';
  const lines = skippedIn([report(file, 'skipped'), report(file, 'passed')]);
  expect(lines).toEqual([`Skipped: 1 of ${file}, which needs Debian's pgbouncer`]);
  expect(skippedIn([report(file, 'skipped')], 'smoke')).toEqual([]);
  expect(skippedIn([report(file, 'skipped', [], ['smoke'])], 'smoke')).toEqual(lines);
});
