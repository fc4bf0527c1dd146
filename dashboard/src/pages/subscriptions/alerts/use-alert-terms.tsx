import { Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { decimalText } from '../../../parts/fields/typed-number.ts';
import { MetersToGrantDocument } from '../../usage/grant-credits.generated.ts';
import { HardLimit, Percentages, Threshold } from './alert-fields.tsx';
import { type Alert, type AlertTerms, kindTexts, limitKinds } from './alert-texts.ts';

type Kind = Alert['kind'];

/** The fields for the terms of a new alert, and the terms once they are complete. `first` is the kind at the start. */
export function useNewTerms(first: Kind, currency: string) {
  const [kind, setKind] = useState<Kind>(first);
  const [meter, setMeter] = useState<string | null>(null);
  const [threshold, setThreshold] = useState<number>();
  const [percentages, setPercentages] = useState<readonly number[]>([]);
  const [hardLimit, setHardLimit] = useState(false);
  const [name, setName] = useState('');
  const [{ data }] = useQuery({ query: MetersToGrantDocument });
  const isComplete = threshold !== undefined && (meter !== null || kind === 'spend');
  const terms = isComplete
    ? {
        kind,
        threshold: decimalText(threshold),
        ...(percentages.length > 0 && { percentages: [...percentages] }),
        ...(meter !== null && { usageMeterId: meter }),
        ...(hardLimit && limitKinds.includes(kind) && { hardLimit }),
        ...(name.trim() && { name: name.trim() }),
      }
    : undefined;
  const fields = (
    <>
      <Select
        label="Watches"
        data={Object.entries(kindTexts).map(([value, label]) => ({ value, label }))}
        value={kind}
        onChange={(value) => {
          if (!value) return;
          // An amount of money is no number of units.
          if ((value === 'spend') !== (kind === 'spend')) setThreshold(undefined);
          setKind(value as Kind);
        }}
        allowDeselect={false}
      />
      <Select
        label="Usage meter"
        description={kind === 'spend' ? 'All meters together when empty' : undefined}
        data={data?.usageMeters.nodes.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={meter}
        onChange={setMeter}
        searchable
        clearable={kind === 'spend'}
      />
      <Threshold kind={kind} value={threshold} onChange={setThreshold} currency={currency} />
      <Percentages value={percentages} onChange={setPercentages} />
      {limitKinds.includes(kind) && <HardLimit value={hardLimit} onChange={setHardLimit} />}
      <TextInput
        label="Name"
        description="Optional"
        dir="auto"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </>
  );
  return { terms, fields };
}

/** The fields for changes to the terms of an alert, and the changes once there are some. `stopped` describes a stop. */
export function useChangedTerms(of: AlertTerms, currency: string, stopped: string) {
  const { kind } = of;
  const [threshold, setThreshold] = useState<number | undefined>(of.threshold);
  const [percentages, setPercentages] = useState<readonly number[]>(of.percentages);
  const [hardLimit, setHardLimit] = useState(of.hardLimit);
  const [active, setActive] = useState(of.active);
  const changes = {
    ...(threshold !== undefined &&
      threshold !== of.threshold && { threshold: decimalText(threshold) }),
    ...(String(percentages) !== String(of.percentages) && { percentages: [...percentages] }),
    ...(hardLimit !== of.hardLimit && { hardLimit }),
    ...(active !== of.active && { active }),
  };
  const isChanged = threshold !== undefined && Object.keys(changes).length > 0;
  const fields = (
    <>
      <Threshold kind={kind} value={threshold} onChange={setThreshold} currency={currency} />
      <Percentages value={percentages} onChange={setPercentages} />
      {limitKinds.includes(kind) && <HardLimit value={hardLimit} onChange={setHardLimit} />}
      <Checkbox
        label="Active"
        description={stopped}
        checked={active}
        onChange={({ currentTarget }) => setActive(currentTarget.checked)}
      />
    </>
  );
  return { changes: isChanged ? changes : undefined, fields };
}
