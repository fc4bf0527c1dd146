import { Group, Select, TextInput } from '@mantine/core';
import { NumberField } from '../../../parts/fields/number-field.tsx';
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

const types = [
  { value: 'toggle', label: 'Access' },
  { value: 'usage_credit_grant', label: 'Usage credits' },
  { value: 'resource', label: 'Capacity of a resource' },
] satisfies { value: Feature['type']; label: string }[];

/** The grant of a feature in words. */
export const featureTypeText = (type: Feature['type']) =>
  types.find(({ value }) => value === type)?.label ?? type;

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
  const { type } = fields;
  return (
    <>
      <NameAndSlug value={fields.named} onChange={(named) => set({ named })} isKept={isKept} />
      <TextInput
        label="Description"
        dir="auto"
        value={fields.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <Select
        label="It grants"
        data={types}
        value={type}
        onChange={(value) => set({ type: value ?? 'toggle' })}
        disabled={isKept}
        allowDeselect={false}
      />
      {type !== 'toggle' && (
        <Group grow align="flex-start">
          <NumberField
            label={type === 'resource' ? 'Units' : 'Credits'}
            min={1}
            value={fields.amount}
            onChange={(amount) => set({ amount })}
          />
          {type === 'resource' ? (
            <Select
              label="Resource"
              data={parts.resources.map(({ id, name }) => ({ value: id, label: name }))}
              value={fields.resourceId}
              onChange={(resourceId) => set({ resourceId })}
              searchable
            />
          ) : (
            <Select
              label="Usage meter"
              data={parts.meters.map(({ id, name }) => ({ value: id, label: name }))}
              value={fields.usageMeterId}
              onChange={(usageMeterId) => set({ usageMeterId })}
              searchable
            />
          )}
        </Group>
      )}
      {type === 'usage_credit_grant' && (
        <Select
          label="How often"
          data={[
            { value: 'every_billing_period', label: 'In each billing period' },
            { value: 'once', label: 'Once' },
          ]}
          value={fields.renewalFrequency}
          onChange={(value) => set({ renewalFrequency: value ?? 'once' })}
          allowDeselect={false}
        />
      )}
      {type === 'usage_credit_grant' && (
        <Select
          label="The credits are for"
          data={[
            { value: 'item', label: 'Each unit of an item' },
            { value: 'subscription', label: 'The subscription, whatever its quantities' },
          ]}
          value={fields.per}
          onChange={(value) => set({ per: value ?? 'item' })}
          allowDeselect={false}
        />
      )}
      {type === 'usage_credit_grant' && fields.renewalFrequency === 'every_billing_period' && (
        <RolloverInputs value={fields.rollover} onChange={(rollover) => set({ rollover })} />
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
