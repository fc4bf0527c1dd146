import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { alertKinds } from '#domain/model/metering/alert-kinds.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { decimal, flag, nullable, of, repeatedId } from '../engine/fields.ts';
import { withOptionalId } from '../engine/reference.ts';

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

const meterText = 'The watched meter; null for the spend on all meters.';

/** The fields that an alert and a rule for alerts have in common. */
export const termFields = {
  kind: of(AlertKind, 'The value that it compares.'),
  threshold: decimal('The threshold: units of the meter, minor units of the currency, or hours.'),
  percentages: of(
    ['Int'],
    'Further thresholds as percentages of the threshold, in ascending order. Each triggers by itself.',
  ),
  hardLimit: flag('Whether usage beyond the threshold is refused.'),
  name: nullable.text('The display name.'),
  ...withOptionalId('usageMeter', UsageMeter, meterText),
};

/** The terms of a new alert, or of a new rule, which `noun` names. */
export const newTerms = (noun: string) => ({
  kind: of(AlertKind, 'The value that it compares.'),
  threshold: decimal(
    'The threshold: units of the meter, minor units of the currency, or hours. It is above 0; 0 is allowed for credits.',
  ),
  usageMeterId: nullable.id(
    `The watched meter; alternative to \`usageMeterSlug\`. Without a meter ${noun} watches all of them.`,
  ),
  usageMeterSlug: nullable.text('The slug of the watched meter; alternative to `usageMeterId`.'),
  percentages: nullable.of(
    ['Int'],
    'Further thresholds as percentages of the threshold, 1 to 1000 and not 100, up to 10. Each triggers by itself.',
  ),
  hardLimit: nullable.flag(
    'Whether usage beyond the threshold is refused; false when absent. It is allowed for usage, spend and credits.',
  ),
  name: nullable.text('The display name.'),
});

/** The terms that change, and what `active` does. */
export const changedTerms = (activeText: string) => ({
  id: repeatedId,
  threshold: nullable.decimal('The threshold. A new one ends the crossings of the old one.'),
  percentages: nullable.of(
    ['Int'],
    'All further thresholds as percentages of the threshold. A removed one ends its crossings.',
  ),
  hardLimit: nullable.flag('Whether usage beyond the threshold is refused.'),
  active: nullable.flag(activeText),
  name: nullable.text('The display name; null for none.'),
});
