import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { numberText } from '../../parts/formats.ts';
import { intervalText } from '../../parts/interval-text.ts';
import { Money } from '../../parts/money.tsx';
import { type PricePartsFragment, UpdatePriceDocument } from './catalog.generated.ts';

/** Prices, with the commands that retire one or make it the default. */
export function Prices({ prices }: { readonly prices: readonly PricePartsFragment[] }) {
  const [chosen, setChosen] = useState<{
    id: string;
    price: { active?: boolean; isDefault?: true };
  }>();
  return (
    <>
      <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
        <Table fz="sm" aria-label="Prices">
          <Table.Tbody>
            {prices.map((price) => (
              <Table.Tr key={price.id} c={price.active ? undefined : 'dimmed'}>
                <Table.Td>
                  <Money amount={price.unitPrice} currency={price.currency} fw={600} />{' '}
                  {price.type === 'usage'
                    ? `per ${numberText(price.usageEventsPerUnit ?? 1)}`
                    : intervalText(price)}
                </Table.Td>
                <Table.Td>
                  <Text size="sm" c="dimmed" truncate maw={220}>
                    {price.slug}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Group gap={4}>
                    {price.isDefault && (
                      <Badge variant="light" tt="none" radius="sm">
                        Default
                      </Badge>
                    )}
                    {!price.active && (
                      <Badge variant="default" tt="none" radius="sm">
                        Retired
                      </Badge>
                    )}
                    {price.trialPeriodDays !== null && price.trialPeriodDays > 0 && (
                      <Badge variant="light" color="blue" tt="none" radius="sm">
                        {price.trialPeriodDays} days of trial
                      </Badge>
                    )}
                  </Group>
                </Table.Td>
                <Table.Td ta="end">{numberText(price.subscriptions.totalCount)}</Table.Td>
                <Table.Td ta="end">
                  <Group gap={2} justify="flex-end" wrap="nowrap">
                    {price.active && !price.isDefault && (
                      <Button
                        size="compact-xs"
                        variant="subtle"
                        onClick={() => setChosen({ id: price.id, price: { isDefault: true } })}
                      >
                        Make default
                      </Button>
                    )}
                    {!price.isDefault && (
                      <Button
                        size="compact-xs"
                        variant="subtle"
                        color={price.active ? 'red' : undefined}
                        onClick={() =>
                          setChosen({ id: price.id, price: { active: !price.active } })
                        }
                      >
                        {price.active ? 'Retire' : 'Sell again'}
                      </Button>
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <CommandDialog
        title="Change the price"
        isOpen={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        document={UpdatePriceDocument}
        variables={chosen}
        label="Change"
        done="The price is changed"
      />
    </>
  );
}
