import { describe, expect, test } from 'vitest';
import { newId } from '#domain/kernel/ids.ts';

describe('a new id', () => {
  test('has its prefix and 21 letters and digits, and is never given twice', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('evt'));
    expect(ids.filter((id) => !/^evt_[0-9A-Za-z]{21}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('sorts after every id of an earlier millisecond, byte by byte', () => {
    const starts: string[] = [];
    for (const seen = new Set<string>(); seen.size < 5; seen.add(starts.at(-1) as string)) {
      starts.push(newId('evt').slice(0, 12));
    }
    expect(starts).toEqual(
      starts.toSorted((one, other) => (one < other ? -1 : Number(one > other))),
    );
  });
});
