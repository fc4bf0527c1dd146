import { Group } from '@mantine/core';
import { Section } from '../../parts/section.tsx';
import { numberText } from '../../parts/texts/formats.ts';
import { Dimmed, Mark } from '../../parts/texts/small-texts.tsx';
import type { OneCustomerQuery } from './customer.generated.ts';

interface Props {
  readonly customer: NonNullable<OneCustomerQuery['customer']>;
}

/** Everything that the customer may use now. */
export function Entitlements({ customer: { featureItems } }: Props) {
  return (
    <Section title="Entitlements">
      {featureItems.length === 0 && <Dimmed>None</Dimmed>}
      <Group gap="xs">
        {featureItems.map(({ id, name, amount }) => (
          <Mark key={id} size="lg" maw="100%">
            {name}
            {amount !== null && `: ${numberText(amount)}`}
          </Mark>
        ))}
      </Group>
    </Section>
  );
}
