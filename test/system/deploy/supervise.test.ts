import { expect, onTestFinished, test } from 'vitest';
import { createMember } from '../../../src/tools/fleet/member.ts';
import { supervise } from '../../../src/tools/fleet/supervise.ts';
import { dataFolder } from '../../support/process.ts';

test('a member of a fleet that is killed is reported, and started again', {
  tags: ['smoke'],
}, async () => {
  const member = createMember({
    name: 'gateway1',
    command: [process.execPath, '-e', 'setInterval(() => {}, 1_000)'],
    env: {},
    folder: await dataFolder(),
  });
  member.start();
  onTestFinished(() => member.kill());
  const lines: string[] = [];
  const stop = new AbortController();
  const supervising = supervise({
    members: [member],
    databases: [],
    report: (line) => void lines.push(line),
    stop: stop.signal,
    absence: 0,
  });
  const before = member.processId() ?? 0;
  process.kill(before, 'SIGKILL');
  await expect.poll(() => lines.length).toBe(2);
  stop.abort();
  await supervising;
  expect(lines).toEqual([
    'gateway1 has ended; it is started again in 0 s',
    `gateway1 is started again: process ${member.processId()}`,
  ]);
  expect(member.isRunning()).toBe(true);
  expect(member.processId()).not.toBe(before);
});
