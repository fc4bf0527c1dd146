import { expect, test } from 'vitest';
import { dueBetween, requirePattern } from '#cron/due-times.ts';
import { jobs } from '#cron/jobs.ts';
import { lastDue } from '#cron/missed-runs.ts';

const at = (time: string) => new Date(`2026-03-01T${time}Z`);

test('a job is due at its times in UTC, and once for a process that was busy for some of them', () => {
  expect(dueBetween('*/5 * * * * *', at('10:00:03.900'), at('10:00:04.900'))).toBeUndefined();
  expect(dueBetween('*/5 * * * * *', at('10:00:04.900'), at('10:00:05.000'))).toEqual(
    at('10:00:05'),
  );
  expect(dueBetween('*/5 * * * * *', at('10:00:05.000'), at('10:00:05.999'))).toBeUndefined();
  expect(dueBetween('*/5 * * * * *', at('10:00:04.900'), at('10:00:17.200'))).toEqual(
    at('10:00:15'),
  );
  expect(dueBetween('27 2 * * *', at('02:26:59.100'), at('02:27:00.100'))).toEqual(at('02:27:00'));
});

test('a clock that is set back or forward by hours has no time between, or the last seconds', () => {
  expect(dueBetween('*/5 * * * * *', at('12:00:00.500'), at('10:00:00.500'))).toBeUndefined();
  expect(dueBetween('*/5 * * * * *', at('10:00:00.500'), at('12:00:03.500'))).toEqual(
    at('12:00:00'),
  );
  expect(dueBetween('0 11 * * *', at('10:00:00.500'), at('12:00:00.500'))).toBeUndefined();
});

test('a daily or hourly job is due when it counts as missed otherwise, and any other within 10 minutes', () => {
  for (const { name, pattern } of jobs) {
    const until = lastDue(pattern, at('23:59:59')) ?? at('10:09:59');
    let found: Date | undefined;
    for (let end = until.getTime(); !found && end > until.getTime() - 600_000; end -= 30_000) {
      found = dueBetween(pattern, new Date(end - 30_000), new Date(end));
    }
    expect(found, name).toBeDefined();
  }
});

test('an invalid expression is refused at the start', () => {
  expect(() => requirePattern('5/10 * * * * *')).toThrow(/invalid expression/);
});
