import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import type { Alert } from '#domain/model/metering/alert.ts';
import { alertKinds } from '#domain/model/metering/alert-kinds.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { optionalReference } from '../engine/reference.ts';

export const AlertKind = builder.enumType('AlertKind', {
  description: 'The value that an alert compares with its threshold.',
  values: described(alertKinds, {
    usage:
      'The usage of a meter in a billing period, in units; it triggers at or above the threshold.',
    projected_usage:
      'The usage of a meter at the end of the current period, if it continues as in the last 24 hours.',
    spend:
      'The cost of usage in a billing period so far, in minor units: beyond credits, before discounts and tax.',
    credits: 'The remaining usage credits of a meter; it triggers at or below the threshold.',
    credit_hours:
      'The hours until the credits of a meter run out, if usage continues as in the last 24 hours; it triggers at or below the threshold.',
    credit_expiry:
      'The hours until the next unused credits of a meter expire; it triggers at or below the threshold.',
  }),
});

type Terms = Pick<Alert, 'kind' | 'threshold' | 'percentages' | 'hardLimit' | 'name'>;
const meterText = 'The watched meter; null for the spend on all meters.';

/** The fields that an alert and a rule for alerts have in common. */
// biome-ignore lint/suspicious/noExplicitAny: the builder of the fields of either object
export const termFields = (t: any) => ({
  kind: t.field({
    type: AlertKind,
    description: 'The value that it compares.',
    resolve: ({ kind }: Terms) => kind,
  }),
  threshold: t.field({
    type: 'Decimal',
    description: 'The threshold: units of the meter, minor units of the currency, or hours.',
    resolve: ({ threshold }: Terms) => threshold,
  }),
  percentages: t.intList({
    description:
      'Further thresholds as percentages of the threshold, in ascending order. Each triggers by itself.',
    resolve: ({ percentages }: Terms) => [...percentages],
  }),
  hardLimit: t.boolean({
    description: 'Whether usage beyond the threshold is refused.',
    resolve: ({ hardLimit }: Terms) => hardLimit,
  }),
  name: t.string({
    nullable: true,
    description: 'The display name.',
    resolve: ({ name }: Terms) => name,
  }),
  usageMeterId: t.exposeID('usageMeterId', { nullable: true, description: meterText }),
  usageMeter: t.field(optionalReference(UsageMeter, 'usageMeterId', meterText)),
});

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;
type Inputs = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

/** The terms of a new alert, or of a new rule, which `noun` names. */
export const newTerms = (t: Inputs, noun: string) => ({
  kind: t.field({ type: AlertKind, required: true, description: 'The value that it compares.' }),
  threshold: t.field({
    type: 'Decimal',
    required: true,
    description:
      'The threshold: units of the meter, minor units of the currency, or hours. It is above 0; 0 is allowed for credits.',
  }),
  usageMeterId: t.id({
    description: `The watched meter; alternative to \`usageMeterSlug\`. Without a meter ${noun} watches all of them.`,
  }),
  usageMeterSlug: t.string({
    description: 'The slug of the watched meter; alternative to `usageMeterId`.',
  }),
  percentages: t.intList({
    description:
      'Further thresholds as percentages of the threshold, 1 to 1000 and not 100, up to 10. Each triggers by itself.',
  }),
  hardLimit: t.boolean({
    description:
      'Whether usage beyond the threshold is refused; false when absent. It is allowed for usage, spend and credits.',
  }),
  name: t.string({ description: 'The display name.' }),
});

/** The terms that change, and what `active` does. */
export const changedTerms = (t: Inputs, activeText: string) => ({
  id: t.id({ description: 'The id, repeated; it must equal the id of the request.' }),
  threshold: t.field({
    type: 'Decimal',
    description: 'The threshold. A new one ends the crossings of the old one.',
  }),
  percentages: t.intList({
    description:
      'All further thresholds as percentages of the threshold. A removed one ends its crossings.',
  }),
  hardLimit: t.boolean({ description: 'Whether usage beyond the threshold is refused.' }),
  active: t.boolean({ description: activeText }),
  name: t.string({ description: 'The display name; null for none.' }),
});
