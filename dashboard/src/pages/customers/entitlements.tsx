import { Badge, Group, Text } from '@mantine/core';
import { Section } from '../../parts/section.tsx';
import { numberText } from '../../parts/texts/formats.ts';
import type { OneCustomerQuery } from './customer.generated.ts';

interface Props {
  readonly customer: NonNullable<OneCustomerQuery['customer']>;
}

/** Everything that the customer may use now. */
export function Entitlements({ customer: { featureItems } }: Props) {
  return (
    <Section title="Entitlements">
      {featureItems.length === 0 && (
        <Text size="sm" c="dimmed">
          None
        </Text>
      )}
      <Group gap="xs">
        {featureItems.map(({ id, name, amount }) => (
          <Badge key={id} variant="light" tt="none" size="lg" radius="sm" maw="100%">
            {name}
            {amount !== null && `: ${numberText(amount)}`}
          </Badge>
        ))}
      </Group>
    </Section>
  );
}
