import { fork } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const burst = join(import.meta.dirname, '../../support/servers/burst.ts');

test('an idle process returns the memory of a burst', async () => {
  const child = fork(burst);
  const memory: number[] = [];
  try {
    for await (const [mebibytes] of on(child, 'message', { signal: AbortSignal.timeout(60_000) })) {
      memory.push(mebibytes);
      const [before = 0, full = 0] = memory;
      if (memory.length > 2 && mebibytes - before < (full - before) / 3) break;
    }
  } finally {
    child.kill();
  }
  const [before = 0, full = 0] = memory;
  expect(full - before).toBeGreaterThan(150);
}, 90_000);
