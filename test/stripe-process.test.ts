import { expect, test } from 'vitest';
import { randomOf } from './faults/random.ts';
import { effort } from './support/effort.ts';
import { LiveShop } from './support/live/live-shop.ts';
import { aProduct, liveUntilKilled } from './support/live/shop-life.ts';
import { expectSameBooks } from './support/live/stripe-books.ts';

const lives = 8 * effort;
const seed = Date.now() % 2 ** 31;

test(`SIGKILL at any instant of charging, refunding and notices, and faults at every call of Stripe: the books of the next process are those of Stripe (seed ${seed}, ${lives} lives)`, {
  timeout: 540_000 * Math.max(1, effort),
}, async () => {
  await using shop = await LiveShop.open(randomOf(seed));
  let service = await shop.start();
  await shop.connectStripe(service);
  await aProduct(shop, service);
  for (let life = 0; life < lives; life++) {
    const kill = await liveUntilKilled(shop, service);
    service = await shop.start();
    await shop.settle(service);
    try {
      await expectSameBooks(shop.session, shop.fake.live);
    } catch (error) {
      (error as Error).message +=
        `\nafter life ${life} of seed ${seed}, killed ${JSON.stringify(kill)}`;
      throw error;
    }
  }
  expect(shop.taken().length).toBeGreaterThan(lives);
});
