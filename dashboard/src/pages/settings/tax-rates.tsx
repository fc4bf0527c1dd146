import { ActionIcon, Alert, Group, Menu, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { CommandItem, PageButton } from '../../commands/command-button.tsx';
import { IconDots } from '../../icons/icons.tsx';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { Section } from '../../parts/section.tsx';
import { Mark, Remark } from '../../parts/texts/small-texts.tsx';
import { taxName } from '../../parts/texts/tax-texts.ts';
import { useNow } from '../../parts/use-now.ts';
import { EndTaxRateDialog } from './end-tax-rate-dialog.tsx';
import { TaxRateDialog } from './tax-rate-dialog.tsx';
import {
  isOver,
  placeText,
  scopeText,
  type TaxedOrganization,
  type TaxRate,
  validityText,
} from './tax-rate-texts.ts';
import { TaxRatesDocument } from './taxes.generated.ts';

type Opened =
  | { readonly does: 'create' }
  | { readonly does: 'change' | 'end'; readonly rate: TaxRate };

/** The tax rates by place, with the commands on each. */
export function TaxRates({ engine }: { readonly engine: TaxedOrganization['taxEngine'] }) {
  const [order, setOrder] = useState('created_at_asc');
  const [opened, setOpened] = useState<Opened>();
  const now = useNow();
  const list = useList(
    TaxRatesDocument,
    { orderBy: order as 'created_at_asc' },
    ({ taxRates }) => taxRates,
    { kinds: ['tax_rate'] },
  );
  const columns = useMemo(() => columnsFor(now, setOpened), [now]);
  const close = () => setOpened(undefined);
  return (
    <Section
      title="Tax rates"
      actions={
        <PageButton does="createTaxRate" isNew onClick={() => setOpened({ does: 'create' })}>
          New tax rate
        </PageButton>
      }
    >
      {engine !== 'rates' && list.rows.length > 0 && (
        <Alert role="note" color="orange" mb="sm">
          {engine === 'rule'
            ? 'The rates are not applied: taxes are computed by one rule for all customers.'
            : 'The rates are not applied: a tax service computes the taxes.'}
        </Alert>
      )}
      <DataTable
        label="Tax rates"
        list={list}
        columns={columns}
        order={order}
        onOrder={setOrder}
        height="420px"
        empty={
          <Empty title="No tax rates">
            Create the rates of the places of your customers. Several taxes of one place add up.
          </Empty>
        }
      />
      {opened?.does === 'create' && <TaxRateDialog onClose={close} />}
      {opened?.does === 'change' && <TaxRateDialog rate={opened.rate} onClose={close} />}
      {opened?.does === 'end' && <EndTaxRateDialog rate={opened.rate} onClose={close} />}
    </Section>
  );
}

function columnsFor(now: number, open: (opened: Opened) => void): readonly Column<TaxRate>[] {
  return [
    {
      name: 'Tax',
      order: 'name',
      cell: ({ name, taxType, compound }) => (
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" truncate dir="auto">
            {name}
          </Text>
          {name.toLowerCase() !== taxName(taxType).toLowerCase() && (
            <Remark visibleFrom="lg">{taxName(taxType)}</Remark>
          )}
          {compound && <Mark visibleFrom="sm">Compound</Mark>}
        </Group>
      ),
    },
    {
      name: 'Place',
      cell: (rate) => (
        <Text size="sm" truncate dir="auto">
          {placeText(rate)}
        </Text>
      ),
    },
    { name: 'Percent', isNumber: true, cell: ({ ratePercentage }) => `${ratePercentage} %` },
    {
      name: 'For',
      from: 'md',
      cell: (rate) => (
        <Text size="sm" truncate>
          {scopeText(rate)}
        </Text>
      ),
    },
    {
      name: 'Valid',
      from: 'sm',
      cell: (rate) => (
        <Text size="sm" truncate c={isOver(rate, now) ? 'dimmed' : undefined}>
          {validityText(rate, now)}
        </Text>
      ),
    },
    {
      name: '',
      cell: (rate) => (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" aria-label={`Actions of ${rate.name}, ${placeText(rate)}`}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <CommandItem does="updateTaxRate" onClick={() => open({ does: 'change', rate })}>
              Change
            </CommandItem>
            {!isOver(rate, now) && (
              <CommandItem
                does="updateTaxRate"
                color="red"
                onClick={() => open({ does: 'end', rate })}
              >
                End
              </CommandItem>
            )}
          </Menu.Dropdown>
        </Menu>
      ),
    },
  ];
}
