import { Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { MetersToGrantDocument } from '../usage/grant-credits.generated.ts';
import { HardLimit, Percentages, Threshold } from './alert-fields.tsx';
import { type Alert, kindTexts, limitKinds } from './alert-texts.ts';
import { CreateAlertDocument, UpdateAlertDocument } from './alerts.generated.ts';

interface NewProps {
  readonly subscriptionId: string;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Creates an alert on a subscription. */
export function NewAlertDialog({ subscriptionId, currency, onClose }: NewProps) {
  const [kind, setKind] = useState<Alert['kind']>('usage');
  const [meter, setMeter] = useState<string | null>(null);
  const [threshold, setThreshold] = useState<number>();
  const [percentages, setPercentages] = useState<readonly number[]>([]);
  const [hardLimit, setHardLimit] = useState(false);
  const [name, setName] = useState('');
  const [{ data }] = useQuery({ query: MetersToGrantDocument });
  const isComplete = threshold !== undefined && (meter !== null || kind === 'spend');
  const alert = {
    kind,
    subscriptionId,
    threshold: String(threshold),
    ...(percentages.length > 0 && { percentages: [...percentages] }),
    ...(meter !== null && { usageMeterId: meter }),
    ...(hardLimit && limitKinds.includes(kind) && { hardLimit }),
    ...(name.trim() && { name: name.trim() }),
  };
  return (
    <CommandDialog
      title="Add an alert"
      isOpen
      onClose={onClose}
      document={CreateAlertDocument}
      variables={isComplete ? { alert } : undefined}
      label="Add"
      done="The alert is added"
    >
      <Select
        label="Watches"
        data={Object.entries(kindTexts).map(([value, label]) => ({ value, label }))}
        value={kind}
        onChange={(value) => value && setKind(value as Alert['kind'])}
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
    </CommandDialog>
  );
}

interface ChangeProps {
  readonly alert: Alert;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Changes the thresholds of an alert, makes it a hard limit, or stops it. */
export function ChangeAlertDialog({ alert, currency, onClose }: ChangeProps) {
  const { id, version, kind } = alert;
  const [threshold, setThreshold] = useState<number | undefined>(alert.threshold);
  const [percentages, setPercentages] = useState<readonly number[]>(alert.percentages);
  const [hardLimit, setHardLimit] = useState(alert.hardLimit);
  const [active, setActive] = useState(alert.active);
  const changes = {
    ...(threshold !== undefined &&
      threshold !== alert.threshold && { threshold: String(threshold) }),
    ...(String(percentages) !== String(alert.percentages) && { percentages: [...percentages] }),
    ...(hardLimit !== alert.hardLimit && { hardLimit }),
    ...(active !== alert.active && { active }),
  };
  const isChanged = threshold !== undefined && Object.keys(changes).length > 0;
  return (
    <CommandDialog
      title="Change the alert"
      isOpen
      onClose={onClose}
      document={UpdateAlertDocument}
      variables={isChanged ? { id, version, alert: changes } : undefined}
      label="Change"
      done="The alert is changed"
    >
      <Threshold kind={kind} value={threshold} onChange={setThreshold} currency={currency} />
      <Percentages value={percentages} onChange={setPercentages} />
      {limitKinds.includes(kind) && <HardLimit value={hardLimit} onChange={setHardLimit} />}
      <Checkbox
        label="Active"
        description="A stopped alert compares and refuses nothing"
        checked={active}
        onChange={({ currentTarget }) => setActive(currentTarget.checked)}
      />
    </CommandDialog>
  );
}
