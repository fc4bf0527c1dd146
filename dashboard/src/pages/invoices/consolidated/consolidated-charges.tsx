import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Section } from '../../../parts/section.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { StatusBadge } from '../../../parts/texts/status-badge.tsx';
import { ChargeText } from '../charge-text.tsx';
import { type Charge, chargesOf } from '../charges-of.ts';
import type { ConsolidatedInvoice } from './consolidated-about.tsx';

/** The charges for the invoices of a document, as the customer sees them. */
export function Charges({ document }: { readonly document: ConsolidatedInvoice }) {
  const charges = chargesOf(document);
  return (
    <Section title="Payments and attempts">
      <Stack gap="sm">
        {charges.length === 0 && (
          <Text size="sm" c="dimmed">
            Nothing has been paid or charged
          </Text>
        )}
        {charges.map((charge) => (
          <OneCharge key={charge.id} charge={charge} currency={document.currency} />
        ))}
      </Stack>
    </Section>
  );
}

function OneCharge({ charge, currency }: { readonly charge: Charge; readonly currency: string }) {
  const { id, amount, status } = charge;
  return (
    <div>
      <Group gap="xs">
        <Anchor component={Link} to={`/payments/${id}`} size="sm">
          <Money amount={amount} currency={currency} />
        </Anchor>
        <StatusBadge status={status} />
      </Group>
      <ChargeText charge={charge} currency={currency} pays={charge.pays} />
    </div>
  );
}
