import { useStripe } from '#domain/money/processing/stripe/client.ts';
import { aLiveSession } from '../factories.ts';
import { aTenant } from '../tenant.ts';
import { testAlone } from '../test.ts';
import { startFakeStripe } from './fake-stripe.ts';
import { Shop } from './shop.ts';

/** Tests of one shop with a copy of Stripe. */
export const shopTest = testAlone('notices are processed for all organizations').extend(
  'shop',
  { scope: 'file' },
  async ({ database, gateway }, { onCleanup }) => {
    const fake = await startFakeStripe();
    onCleanup(() => fake[Symbol.asyncDispose]());
    useStripe({ apiBase: fake.url, timeoutMilliseconds: 2_000, maxNetworkRetries: 0 });
    const live = await aLiveSession((await aTenant(database.orm.em)).session);
    const shop = new Shop(live, fake, gateway.fetch, 1);
    await shop.connect();
    return shop;
  },
);
