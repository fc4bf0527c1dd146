import { Group, Stack } from '@mantine/core';
import { CommandButton, SectionButton } from '../../../commands/command-button.tsx';
import { Empty } from '../../../parts/lists/empty.tsx';
import { RowLink } from '../../../parts/lists/row-link.tsx';
import { Section } from '../../../parts/section.tsx';
import { Dimmed } from '../../../parts/texts/small-texts.tsx';
import { NewPriceDialog } from '../prices/new-price-dialog.tsx';
import { Prices } from '../prices/prices.tsx';
import { ShownOf } from '../shown-of.tsx';
import type { Model } from '../types.ts';
import { aggregationText, MeterDialog } from './meter-dialog.tsx';

interface Props {
  readonly page: Model['usageMetersPage'];
  readonly currency: string;
}

/** The usage meters of a pricing model, each with its prices. */
export function Meters({ page: { nodes: meters, totalCount }, currency }: Props) {
  return (
    <Section
      title="Usage meters"
      actions={
        <CommandButton
          does="createUsageMeter"
          size="compact-sm"
          variant="default"
          dialog={(onClose) => <MeterDialog onClose={onClose} />}
        >
          New usage meter
        </CommandButton>
      }
    >
      {meters.length === 0 && (
        <Empty title="No usage meters">A usage meter measures what customers use.</Empty>
      )}
      <Stack gap="lg">
        {meters.map((meter) => (
          <div key={meter.id}>
            <Group justify="space-between" gap="xs">
              <Group gap="xs">
                <RowLink to={`/usage?meter=${meter.id}`}>{meter.name}</RowLink>
                <Dimmed>
                  {meter.slug} · {aggregationText(meter.aggregationType).toLowerCase()}
                </Dimmed>
              </Group>
              <Group gap="xs">
                <SectionButton
                  does="updateUsageMeter"
                  aria-label={`Edit ${meter.name}`}
                  dialog={(onClose) => <MeterDialog {...{ meter, onClose }} />}
                >
                  Edit
                </SectionButton>
                <SectionButton
                  does="createPrice"
                  aria-label={`New price of ${meter.name}`}
                  dialog={(onClose) => (
                    <NewPriceDialog owner={{ usageMeterId: meter.id }} {...{ currency, onClose }} />
                  )}
                >
                  New price
                </SectionButton>
              </Group>
            </Group>
            <Prices of={meter.name} prices={meter.pricesPage.nodes} />
          </div>
        ))}
      </Stack>
      <ShownOf shown={meters.length} total={totalCount} />
    </Section>
  );
}
