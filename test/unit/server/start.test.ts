import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DataDirError } from '#server/embedded-postgres/data-dir-lock.ts';
import { endText } from '#server/process/end-text.ts';
import { startSteps } from '#server/process/start-steps.ts';

test('a start that ends on a full disk prints one line, and an unexpected error its stack', () => {
  const full =
    /^The disk is full: .*no space left on device.*\. Free some space and start again; what was stored stays$/i;
  const log =
    'PostgreSQL has ended during its start\nLOG:  starting\nFATAL:  could not write lock file "postmaster.pid": No space left on device';
  const ofFile = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
  });
  const ofServer = Object.assign(
    new Error('could not extend file "base/1": No space left on device'),
    { code: '53100' },
  );
  for (const error of [new DataDirError(log), ofFile, ofServer])
    expect(endText(error)).toMatch(full);
  expect(endText(new DataDirError('DATA_DIR /x is in use'))).toBe('DATA_DIR /x is in use');
  const gone = Object.assign(new Error('the database system is shutting down'), { code: '57P03' });
  expect(endText(gone)).toBe('The database has failed: 57P03 the database system is shutting down');
  expect(endText(new Error('a defect'))).toMatch(/^Error: a defect\n +at /);
});

test('a step of a start that takes long is reported until it is done', async () => {
  const lines: string[] = [];
  const steps = startSteps((line) => void lines.push(line), 10);
  steps.begin('it waits');
  await expect.poll(() => lines.length).toBeGreaterThan(1);
  expect(lines[0]).toBe('The start is not done: it waits, for 0 s');
  steps[Symbol.dispose]();
  const { length } = lines;
  await sleep(30);
  expect(lines).toHaveLength(length);
});
