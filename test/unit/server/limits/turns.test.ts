import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTurns } from '#server/limits/turns.ts';

const active = 1_000;

const turnsAt = (now: () => number) =>
  createTurns({ atOnce: 2, activeMilliseconds: active, longestWaitMilliseconds: 500, now });

test('an organization that is alone has no limit', async () => {
  const turns = turnsAt(() => 0);
  const leaves = Array.from({ length: 50 }, () => turns.enter('a'));
  expect(leaves.some((leave) => leave instanceof Promise)).toBe(false);
});

test('organizations that are active together have two places each, and all work is done in its order', async () => {
  const step = fc.record({
    does: fc.constantFrom('enter', 'enter', 'leave'),
    organization: fc.constantFrom('a', 'b', 'c'),
    passes: fc.integer({ min: 0, max: 400 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      let now = 0;
      const turns = turnsAt(() => now);
      const running = new Map<string, (() => void)[]>();
      const began = new Map<string, number[]>();
      const entered = new Map<string, number>();
      const seen = new Map<string, number>();
      const isAccompanied = (organization: string) =>
        [...seen].some(([other, at]) => other !== organization && now - at < active);
      const enter = async (organization: string) => {
        const number = (entered.get(organization) ?? 0) + 1;
        entered.set(organization, number);
        seen.set(organization, now);
        const leave = await turns.enter(organization);
        began.set(organization, [...(began.get(organization) ?? []), number]);
        running.set(organization, [...(running.get(organization) ?? []), leave]);
      };
      const leaveOne = async (organization: string) => {
        running.get(organization)?.shift()?.();
        await settle();
      };
      for (const { does, organization, passes } of steps) {
        now += passes;
        const before = running.get(organization)?.length ?? 0;
        if (does === 'leave') await leaveOne(organization);
        else {
          void enter(organization);
          await settle();
          const after = running.get(organization)?.length ?? 0;
          // One that is accompanied gets no third place; what it had when it was alone it keeps.
          if (isAccompanied(organization)) expect(after).toBeLessThanOrEqual(Math.max(2, before));
        }
      }
      for (const organization of entered.keys())
        while (running.get(organization)?.length) await leaveOne(organization);
      for (const [organization, count] of entered)
        expect(began.get(organization)).toEqual(Array.from({ length: count }, (_, n) => n + 1));
    }),
  );
});

test('work that takes long delays other work of its organization for half a second at most', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const turns = turnsAt(() => 0);
  turns.enter('b');
  turns.enter('a');
  turns.enter('a');
  let hasBegun = false;
  const third = Promise.resolve(turns.enter('a')).then(() => {
    hasBegun = true;
  });
  await vi.advanceTimersByTimeAsync(499);
  expect(hasBegun).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await third;
});

const settle = () => new Promise((resolve) => setImmediate(resolve));
