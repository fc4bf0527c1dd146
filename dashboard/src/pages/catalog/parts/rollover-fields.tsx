import { Group } from '@mantine/core';
import { Choice } from '../../../parts/fields/choice.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { fieldsOf } from '../../../parts/fields/use-field.ts';
import type { Feature } from '../types.ts';

type Kind = 'none' | 'all' | 'limit' | 'percent';

/** The fields of a rollover in a form. */
export interface RolloverFields {
  readonly kind: Kind;
  readonly most: number | undefined;
  readonly periods: number | undefined;
}

const kinds = {
  none: 'None',
  all: 'All',
  limit: 'Up to a number',
  percent: 'Up to a percentage',
} satisfies Partial<Record<Kind, string>>;

/** The fields that show the rollover of a feature. */
export function rolloverFieldsOf(rollover: Feature['rollover'] | undefined): RolloverFields {
  if (!rollover) return { kind: 'none', most: undefined, periods: 1 };
  const { periods, limit, percent } = rollover;
  const kind = limit !== null ? 'limit' : percent !== null ? 'percent' : 'all';
  return { kind, most: limit ?? percent ?? undefined, periods };
}

interface Props {
  readonly value: RolloverFields;
  readonly onChange: (value: RolloverFields) => void;
}

/** The inputs for the credits that a period leaves unused. */
export function RolloverInputs({ value, onChange }: Props) {
  const of = fieldsOf(value, (changes) => onChange({ ...value, ...changes }));
  const { kind } = value;
  return (
    <Group grow align="flex-start">
      <Choice label="Unused that roll over" data={kinds} {...of('kind')} />
      {(kind === 'limit' || kind === 'percent') && (
        <NumberField
          label={kind === 'limit' ? 'At most' : 'At most, in percent'}
          min={1}
          {...(kind === 'percent' && { max: 100 })}
          {...of('most')}
        />
      )}
      {kind !== 'none' && (
        <NumberField label="For later periods" min={1} max={120} {...of('periods')} />
      )}
    </Group>
  );
}

/** The input of a rollover; null where credits expire, undefined while it is incomplete. */
export function rolloverOf({ kind, most, periods }: RolloverFields) {
  if (kind === 'none') return null;
  if (periods === undefined) return undefined;
  if (kind === 'all') return { periods };
  return most ? { periods, [kind]: most } : undefined;
}

/** A rollover in words, after the credits of a feature. */
export function rolloverText(rollover: Feature['rollover']): string {
  if (!rollover) return '';
  const { periods, limit, percent } = rollover;
  const most = limit !== null ? `up to ${limit} ` : percent !== null ? `up to ${percent} % ` : '';
  return `; ${most}${most ? 'roll' : 'unused ones roll'} over for ${periods} ${periods === 1 ? 'period' : 'periods'}`;
}
