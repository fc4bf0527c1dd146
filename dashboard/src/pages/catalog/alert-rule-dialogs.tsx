import { Checkbox, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { numberText } from '../../parts/formats.ts';
import { HardLimit, Percentages, Threshold } from '../subscriptions/alert-fields.tsx';
import { type Alert, kindTexts, limitKinds } from '../subscriptions/alert-texts.ts';
import { MetersToGrantDocument } from '../usage/grant-credits.generated.ts';
import { CreateAlertRuleDocument, UpdateAlertRuleDocument } from './alert-rules.generated.ts';
import type { AlertRule } from './alert-rules.tsx';

interface NewProps {
  readonly currency: string;
  readonly onClose: () => void;
}

/** Gives each customer of the pricing model an alert. */
export function NewAlertRuleDialog({ currency, onClose }: NewProps) {
  const [kind, setKind] = useState<Alert['kind']>('spend');
  const [meter, setMeter] = useState<string | null>(null);
  const [threshold, setThreshold] = useState<number>();
  const [percentages, setPercentages] = useState<readonly number[]>([]);
  const [hardLimit, setHardLimit] = useState(false);
  const [name, setName] = useState('');
  const [{ data }] = useQuery({ query: MetersToGrantDocument });
  const isComplete = threshold !== undefined && (meter !== null || kind === 'spend');
  const alertRule = {
    kind,
    threshold: String(threshold),
    ...(percentages.length > 0 && { percentages: [...percentages] }),
    ...(meter !== null && { usageMeterId: meter }),
    ...(hardLimit && limitKinds.includes(kind) && { hardLimit }),
    ...(name.trim() && { name: name.trim() }),
  };
  return (
    <CommandDialog
      title="Add an alert for all customers"
      isOpen
      onClose={onClose}
      document={CreateAlertRuleDocument}
      variables={isComplete ? { alertRule } : undefined}
      label="Add"
      done="The rule is added, and is being applied"
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

interface ChangeProps extends NewProps {
  readonly rule: AlertRule;
}

/** Changes the thresholds of a rule, makes it a hard limit, or stops it. */
export function ChangeAlertRuleDialog({ rule, currency, onClose }: ChangeProps) {
  const { id, version, kind, subscriberCount } = rule;
  const [threshold, setThreshold] = useState<number | undefined>(rule.threshold);
  const [percentages, setPercentages] = useState<readonly number[]>(rule.percentages);
  const [hardLimit, setHardLimit] = useState(rule.hardLimit);
  const [active, setActive] = useState(rule.active);
  const alertRule = {
    ...(threshold !== undefined &&
      threshold !== rule.threshold && { threshold: String(threshold) }),
    ...(String(percentages) !== String(rule.percentages) && { percentages: [...percentages] }),
    ...(hardLimit !== rule.hardLimit && { hardLimit }),
    ...(active !== rule.active && { active }),
  };
  const isChanged = threshold !== undefined && Object.keys(alertRule).length > 0;
  return (
    <CommandDialog
      title="Change the alert for all customers"
      isOpen
      onClose={onClose}
      document={UpdateAlertRuleDocument}
      variables={isChanged ? { id, version, alertRule } : undefined}
      label="Change"
      done="The rule is changed, and is being applied"
      more={
        isChanged && (
          <Text size="sm">It concerns {numberText(subscriberCount)} customers at present</Text>
        )
      }
    >
      <Threshold kind={kind} value={threshold} onChange={setThreshold} currency={currency} />
      <Percentages value={percentages} onChange={setPercentages} />
      {limitKinds.includes(kind) && <HardLimit value={hardLimit} onChange={setHardLimit} />}
      <Checkbox
        label="Active"
        description="A stopped rule compares and refuses nothing"
        checked={active}
        onChange={({ currentTarget }) => setActive(currentTarget.checked)}
      />
    </CommandDialog>
  );
}
