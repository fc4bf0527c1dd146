import { expect, test } from 'vitest';
import { Attached } from '#domain/kernel/reads/attached.ts';
import { Roster } from '#engines/batching/roster.ts';

test('a roster has the items that were added and not removed, and uses their places again', () => {
  const roster = new Roster<{ name: string }>();
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const places = [roster.add(a), roster.add(b)];
  roster.remove(places[0] as number);
  expect([...roster]).toEqual([b]);
  expect(roster.add(c)).toBe(places[0]);
  expect([...roster]).toEqual([c, b]);
});

test('a value is attached to one object, and not to its copies', () => {
  const attached = new Attached<object, string>();
  const [owner, other] = [{ id: 1 }, { id: 1 }];
  attached.set(owner, 'first');
  attached.set(owner, 'second');
  expect(attached.get(owner)).toBe('second');
  expect(attached.get(other)).toBeUndefined();
  expect(attached.get({ ...owner })).toBeUndefined();
  expect(owner).toEqual(other);
});
