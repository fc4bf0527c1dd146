import { describe, expect, test } from 'vitest';
import { summarize } from '../../bench/running/cpu-profile.ts';
import { figuresIn, spreadOf } from '../../bench/running/figures.ts';

describe('the figures of a benchmark', () => {
  test('are the numbers with a unit behind a label, each section by itself', () => {
    const output = [
      'Claim 1 and release 1, 16 connections, median of 3 × 4 s',
      'service                     1,024 pairs/s   p99 22 ms',
      'bulk of 100, 8 connections       6800 events/s   ratio 0.07',
      'service                       970 pairs/s   p99 19.5 ms',
      'ratio 0.81',
      '',
    ].join('\n');
    expect(figuresIn(output)).toEqual([
      { name: 'service, pairs/s', value: 1_024 },
      { name: 'service, ms', value: 22 },
      { name: 'bulk of 100, 8 connections, events/s', value: 6_800 },
      { name: 'service (2), pairs/s', value: 970 },
      { name: 'service (2), ms', value: 19.5 },
    ]);
  });

  test('are compared by their median, with the least and the largest', () => {
    expect(spreadOf([1.2, 0.9, 1])).toEqual({ median: 1, least: 0.9, most: 1.2 });
  });
});

describe('a profile', () => {
  test('is summed by package or folder and by function, apart from idle time', () => {
    const frame = (functionName: string, url: string, lineNumber = 9) => ({
      functionName,
      url,
      lineNumber,
    });
    const callFrames = [
      frame('(idle)', ''),
      frame('write', 'file:///srv/tollgate/src/domain/metering/credits/write-ledgers.ts'),
      frame('', 'file:///srv/tollgate/src/main.ts'),
      frame('query', 'file:///srv/tollgate/node_modules/pg/lib/client.js'),
      frame('parse', 'file:///srv/tollgate/node_modules/@whatwg-node/server/esm/utils.js'),
    ];
    const nodes = callFrames.map((callFrame, id) => ({ id, callFrame }));
    const summary = summarize({
      nodes,
      samples: [0, 1, 1, 3, 4],
      timeDeltas: [5_000, 2_000, 2_000, 3_000, 1_000],
    });
    expect(summary).toEqual({
      program: 'src/main.ts',
      busy: 8,
      idle: 5,
      places: [
        ['src/domain/metering/credits', 4],
        ['pg', 3],
        ['@whatwg-node/server', 1],
      ],
      functions: [
        ['write src/domain/metering/credits/write-ledgers.ts:10', 4],
        ['query pg/lib/client.js:10', 3],
        ['parse @whatwg-node/server/esm/utils.js:10', 1],
      ],
    });
  });
});
