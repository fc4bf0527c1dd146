import { sessionWithin } from '#domain/catalog/commands/pricing-models/session-within.ts';
import { defaultCurrency } from '#domain/catalog/currency.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { aggregationTypes, UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { allBelow, listBelow, mostBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { nullable, of, text } from '../engine/fields.ts';
import { record } from '../engine/types.ts';

/** How usage events become one number. */
export const AggregationType = builder.enumType('AggregationType', {
  description: 'The aggregation of the usage events of a period into one number.',
  values: described(aggregationTypes, {
    sum: 'Adds up the amounts of the events.',
    count_distinct_properties:
      'Counts events with distinct properties; events with equal properties count once.',
    count: 'Counts the events, whatever their amounts.',
    max: 'Uses the largest amount.',
    last: 'Uses the amount of the event with the latest usage date.',
  }),
});

record(UsageMeter, {
  description: 'A meter for countable usage, such as API calls.',
  fields: (t) => ({
    name: text('The display name.'),
    slug: text('The slug, unique in the pricing model.'),
    aggregationType: of(AggregationType, 'The aggregation of usage events into one number.'),
    taxCode: nullable.text(
      'The tax code of its usage, which tax rates name; null for the usual rates.',
    ),
    prices: t.field({
      type: [Price],
      description: `The active prices, oldest first, including the protected no-charge price; at most the newest ${mostBelow}. \`pricesPage\` has them all.`,
      resolve: (meter, _args, session) =>
        allBelow(sessionWithin(session, meter), Price, 'usageMeter', meter.id, { active: true }),
    }),
    pricesPage: listBelow(t, Price, {
      by: 'usageMeter',
      description: 'The prices of the meter, including retired ones.',
    }),
    usageEvents: listBelow(t, UsageEvent, {
      by: 'usageMeterId',
      description: 'The usage events of the meter.',
    }),
    defaultPrice: t.field({
      type: Price,
      nullable: true,
      description:
        'The price of usage unless another price is agreed. Of the default prices in several currencies it is that of the organization’s currency.',
      resolve: async (meter, _args, session) => {
        const own = sessionWithin(session, meter);
        const defaults = await allBelow(own, Price, 'usageMeter', meter.id, { isDefault: true });
        if (defaults.length <= 1) return defaults[0] ?? null;
        const currency = await defaultCurrency(session);
        return defaults.find((price) => price.currency === currency) ?? defaults[0] ?? null;
      },
    }),
  }),
});
