import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addEvent,
  emptyDigest,
  removeEvent,
  runningDigest,
  storedDigest,
} from '#domain/metering/ledger/running-digest.ts';
import { seeded } from '../../../support/seeded.ts';

const event = fc.record({
  id: fc.stringMatching(/^usage_event_[0-9A-Za-z]{4}$/),
  amount: fc.constantFrom('1', '1.0', '01', '0.5', '9007199254740991', '0.000000001'),
  createdAt: fc.integer({ min: 0, max: 3 }).map((at) => new Date(at)),
});
const events = fc.uniqueArray(event, { selector: ({ id }) => id, minLength: 1, maxLength: 30 });

const plain = (amount: string) => amount.replace(/^0(?=\d)/, '').replace(/\.0$/, '');

test('a digest is that of the events that were not removed, in any order, and in parts that are stored between', () => {
  const property = fc.property(
    events.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all), fc.nat(30))),
    ([all, gone, part]) => {
      let digest = emptyDigest();
      for (const [place, event] of all.entries()) {
        addEvent(digest, event, place);
        if (place === part) digest = runningDigest(storedDigest(digest));
      }
      for (const event of gone) removeEvent(digest, event);
      const left = all.filter((event) => !gone.includes(event));
      const sum = left.reduce(
        (sum, { id, amount }) => sum + BigInt(`0x${hash('sha256', `${id} ${plain(amount)}`)}`),
        0n,
      );
      const { first, last } = digest;
      const ends = all
        .toSorted((a, b) => Number(a.createdAt) - Number(b.createdAt) || (a.id < b.id ? -1 : 1))
        .map(({ id }) => id);
      expect([first?.id, last?.id]).toEqual([ends[0], ends.at(-1)]);
      expect(storedDigest(digest)).toMatchObject({
        count: left.length,
        sumOfSha256: (sum % 2n ** 256n).toString(16).padStart(64, '0'),
        recordedFrom: 0,
        recordedUntil: all.length - 1,
      });
    },
  );
  fc.assert(property, seeded('running-digest.property.test.ts'));
});
