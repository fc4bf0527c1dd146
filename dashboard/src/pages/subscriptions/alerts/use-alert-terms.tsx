import { Select } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CheckField } from '../../../parts/fields/check-field.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { decimalText } from '../../../parts/fields/typed-number.ts';
import { useField } from '../../../parts/fields/use-field.ts';
import { MetersToGrantDocument } from '../../usage/grant-credits.generated.ts';
import { HardLimit, Percentages, Threshold } from './alert-fields.tsx';
import { type Alert, type AlertTerms, kindTexts, limitKinds } from './alert-texts.ts';

type Kind = Alert['kind'];

/** The fields for the terms of a new alert, and the terms once they are complete. `first` is the kind at the start. */
export function useNewTerms(first: Kind, currency: string) {
  const [kind, setKind] = useState<Kind>(first);
  const meter = useField<string | null>(null);
  const threshold = useField<number>();
  const percentages = useField<readonly number[]>([]);
  const hardLimit = useField(false);
  const name = useField('');
  const [{ data }] = useQuery({ query: MetersToGrantDocument });
  const isComplete = threshold.value !== undefined && (meter.value !== null || kind === 'spend');
  const terms = isComplete
    ? {
        kind,
        threshold: decimalText(threshold.value),
        ...(percentages.value.length > 0 && { percentages: [...percentages.value] }),
        ...(meter.value !== null && { usageMeterId: meter.value }),
        ...(hardLimit.value && limitKinds.includes(kind) && { hardLimit: hardLimit.value }),
        ...(name.value.trim() && { name: name.value.trim() }),
      }
    : undefined;
  const fields = (
    <>
      <Choice
        label="Watches"
        data={kindTexts}
        value={kind}
        onChange={(value) => {
          // An amount of money is no number of units.
          if ((value === 'spend') !== (kind === 'spend')) threshold.onChange(undefined);
          setKind(value);
        }}
      />
      <Select
        label="Usage meter"
        description={kind === 'spend' ? 'All meters together when empty' : undefined}
        data={data?.usageMeters.nodes.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        {...meter}
        searchable
        clearable={kind === 'spend'}
      />
      <Threshold kind={kind} {...threshold} currency={currency} />
      <Percentages {...percentages} />
      {limitKinds.includes(kind) && <HardLimit {...hardLimit} />}
      <TextField label="Name" description="Optional" dir="auto" {...name} />
    </>
  );
  return { terms, fields };
}

/** The fields for changes to the terms of an alert, and the changes once there are some. `stopped` describes a stop. */
export function useChangedTerms(of: AlertTerms, currency: string, stopped: string) {
  const { kind } = of;
  const threshold = useField<number | undefined>(of.threshold);
  const percentages = useField<readonly number[]>(of.percentages);
  const hardLimit = useField(of.hardLimit);
  const active = useField(of.active);
  const changes = {
    ...(threshold.value !== undefined &&
      threshold.value !== of.threshold && { threshold: decimalText(threshold.value) }),
    ...(String(percentages.value) !== String(of.percentages) && {
      percentages: [...percentages.value],
    }),
    ...(hardLimit.value !== of.hardLimit && { hardLimit: hardLimit.value }),
    ...(active.value !== of.active && { active: active.value }),
  };
  const isChanged = threshold.value !== undefined && Object.keys(changes).length > 0;
  const fields = (
    <>
      <Threshold kind={kind} {...threshold} currency={currency} />
      <Percentages {...percentages} />
      {limitKinds.includes(kind) && <HardLimit {...hardLimit} />}
      <CheckField label="Active" description={stopped} {...active} />
    </>
  );
  return { changes: isChanged ? changes : undefined, fields };
}
