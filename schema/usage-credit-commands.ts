import {
  grantUsageCredits,
  grantUsageCreditsInput,
} from '#domain/usage-credits/grant-usage-credits.ts';
import { UsageCredit } from '#domain/usage-credits/usage-credit.ts';
import { builder } from './engine/builder.ts';

const GrantUsageCredits = builder.inputType('GrantUsageCreditsInput', {
  description: 'Credits that are given by hand.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: 'The subscription that gets them.' }),
    usageMeterId: t.id({ description: 'The usage that they cover; or usageMeterSlug.' }),
    usageMeterSlug: t.string({ description: 'The same by its slug; or usageMeterId.' }),
    amount: t.field({ type: 'Decimal', required: true, description: 'How much, above 0.' }),
    expiresAt: t.field({
      type: 'Timestamp',
      description: 'From when on they cannot be used; never when absent.',
    }),
    priority: t.int({ description: 'From 0 to 100: lower ones are used first; 50 when absent.' }),
    reason: t.string({ description: 'Why, for whoever looks at it later.' }),
  }),
});

builder.mutationField('grantUsageCredits', (t) =>
  t.field({
    type: UsageCredit,
    description:
      'Gives a subscription credits; they cover at once what its running period has used without any. Errors: BAD_REQUEST for an unknown or ended subscription, an unknown meter and a time that has passed.',
    args: {
      usageCredit: t.arg({ type: GrantUsageCredits, required: true, description: 'The credits.' }),
    },
    validate: { schema: grantUsageCreditsInput },
    resolve: (_root, args, session) => grantUsageCredits(session, args),
  }),
);
