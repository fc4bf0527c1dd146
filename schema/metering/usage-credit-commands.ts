import {
  grantUsageCredits,
  grantUsageCreditsInput,
} from '#domain/metering/commands/usage-credits/grant-usage-credits.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { decimal, id, nullable, of } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';

const GrantUsageCredits = input('GrantUsageCreditsInput', {
  description: 'A manual grant of usage credits.',
  fields: {
    subscriptionId: id('The id of the subscription that receives the credits.'),
    usageMeterId: nullable.id('The id of the usage meter; alternative to `usageMeterSlug`.'),
    usageMeterSlug: nullable.text('The slug of the usage meter; alternative to `usageMeterId`.'),
    amount: decimal('The amount, greater than 0.'),
    expiresAt: nullable.time('The time when the credits expire; never when absent.'),
    priority: nullable.int(
      'The priority from 0 to 100; credits with a lower number are used first. The default is 50.',
    ),
    reason: nullable.text('The reason, for later reference.'),
  },
});

mutation('grantUsageCredits', {
  returns: [UsageCredit, 'The granted usage credit.'],
  description:
    'Grants usage credits to a subscription. They immediately cover uncovered usage of its current period. Errors: BAD_REQUEST for an unknown or ended subscription, an unknown meter and a time in the past.',
  args: { usageCredit: of(GrantUsageCredits, 'The credits.') },
  input: grantUsageCreditsInput,
  command: grantUsageCredits,
});
