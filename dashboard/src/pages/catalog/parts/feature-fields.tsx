import { Group, Select } from '@mantine/core';
import { Choice } from '../../../parts/fields/choice.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { fieldsOf } from '../../../parts/fields/use-field.ts';
import { NameAndSlug, namedOf } from '../name-and-slug.tsx';
import type { Feature, Parts } from '../types.ts';
import { type RolloverFields, RolloverInputs, rolloverOf } from './rollover-fields.tsx';

/** The fields of a feature in a form. */
export interface FeatureFields {
  readonly named: { readonly name: string; readonly slug: string };
  readonly description: string;
  readonly type: Feature['type'];
  readonly amount: number | undefined;
  readonly usageMeterId: string | null;
  readonly resourceId: string | null;
  readonly renewalFrequency: NonNullable<Feature['renewalFrequency']>;
  readonly per: NonNullable<Feature['per']>;
  readonly rollover: RolloverFields;
}

const types = {
  toggle: 'Access',
  usage_credit_grant: 'Usage credits',
  resource: 'Capacity of a resource',
} satisfies Record<Feature['type'], string>;

/** The grant of a feature in words. */
export const featureTypeText = (type: Feature['type']) => types[type];

interface Props {
  readonly fields: FeatureFields;
  readonly onChange: (fields: FeatureFields) => void;
  readonly parts: Parts;
  /** Whether the feature exists: its type cannot change, and its slug does not follow its name. */
  readonly isKept: boolean;
}

/** The name, the type and what the type needs. */
export function FeatureInputs({ fields, onChange, parts, isKept }: Props) {
  const set = (changed: Partial<FeatureFields>) => onChange({ ...fields, ...changed });
  const of = fieldsOf(fields, set);
  const { type } = fields;
  return (
    <>
      <NameAndSlug {...of('named')} isKept={isKept} />
      <TextField label="Description" dir="auto" {...of('description')} />
      <Choice label="It grants" data={types} {...of('type')} disabled={isKept} />
      {type !== 'toggle' && (
        <Group grow align="flex-start">
          <NumberField
            label={type === 'resource' ? 'Units' : 'Credits'}
            min={1}
            {...of('amount')}
          />
          {type === 'resource' ? (
            <Select
              label="Resource"
              data={parts.resources.map(({ id, name }) => ({ value: id, label: name }))}
              {...of('resourceId')}
              searchable
            />
          ) : (
            <Select
              label="Usage meter"
              data={parts.meters.map(({ id, name }) => ({ value: id, label: name }))}
              {...of('usageMeterId')}
              searchable
            />
          )}
        </Group>
      )}
      {type === 'usage_credit_grant' && (
        <Choice
          label="How often"
          data={{ every_billing_period: 'In each billing period', once: 'Once' }}
          {...of('renewalFrequency')}
        />
      )}
      {type === 'usage_credit_grant' && (
        <Choice
          label="The credits are for"
          data={{
            item: 'Each unit of an item',
            subscription: 'The subscription, whatever its quantities',
          }}
          {...of('per')}
        />
      )}
      {type === 'usage_credit_grant' && fields.renewalFrequency === 'every_billing_period' && (
        <RolloverInputs {...of('rollover')} />
      )}
    </>
  );
}

/** The input of a feature without its type; undefined while it is incomplete. */
export function featureInputOf({ named, description, type, ...fields }: FeatureFields) {
  const complete = namedOf(named);
  const { amount, usageMeterId, resourceId, renewalFrequency, per } = fields;
  if (!complete) return undefined;
  const input = { ...complete, description: description.trim() };
  if (type === 'toggle') return input;
  if (amount === undefined) return undefined;
  if (type === 'resource') return resourceId ? { ...input, amount, resourceId } : undefined;
  const rollover = renewalFrequency === 'once' ? null : rolloverOf(fields.rollover);
  if (!usageMeterId || rollover === undefined) return undefined;
  return { ...input, amount, usageMeterId, renewalFrequency, per, rollover };
}
