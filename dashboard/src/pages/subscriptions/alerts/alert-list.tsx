import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { type RowColumn, RowTable } from '../../../parts/lists/row-table.tsx';
import { RowsSection } from '../../../parts/rows-section.tsx';
import { Mark, Remark } from '../../../parts/texts/small-texts.tsx';
import { type AlertTerms, amountText, kindTexts } from './alert-texts.ts';

interface Props<T> {
  readonly title: string;
  /** The name of the table. */
  readonly label: string;
  /** The alerts, or the rules; undefined until they are read. */
  readonly items: readonly T[] | undefined;
  readonly error: { readonly message: string } | undefined;
  readonly reload: () => void;
  readonly currency: string;
  /** The button that adds one. */
  readonly actions: ReactNode;
  /** The state of one and its command. */
  readonly columns: readonly RowColumn<T>[];
}

/** A section with alerts, or with rules for alerts. */
export function AlertList<T extends AlertTerms & { readonly id: string }>(props: Props<T>) {
  const { title, label, items, error, reload, currency, actions, columns } = props;
  return (
    <RowsSection
      title={title}
      actions={actions}
      rows={items}
      error={error}
      reload={reload}
      empty="None"
    >
      <RowTable
        label={label}
        minWidth={420}
        rows={items ?? []}
        isDimmed={({ active }) => !active}
        columns={[
          { name: 'Watches', cell: watchedOf },
          { name: 'Thresholds', cell: (item) => thresholdsOf(item, currency) },
          ...columns,
        ]}
      />
    </RowsSection>
  );
}

const watchedOf = ({ kind, name, usageMeter }: AlertTerms) => (
  <>
    {name && <div dir="auto">{name}</div>}
    {kindTexts[kind]}
    {usageMeter && <Remark dir="auto">{usageMeter.name}</Remark>}
  </>
);

const thresholdsOf = (
  { kind, threshold, percentages, hardLimit }: AlertTerms,
  currency: string,
) => (
  <Group gap="xs">
    {amountText(kind, threshold, currency)}
    {percentages.length > 0 && (
      <Remark>and at {percentages.map((one) => `${one} %`).join(', ')}</Remark>
    )}
    {hardLimit && <Mark color="red">Hard limit</Mark>}
  </Group>
);
