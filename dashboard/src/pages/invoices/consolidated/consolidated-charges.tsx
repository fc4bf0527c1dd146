import { Group, Stack } from '@mantine/core';
import { Section } from '../../../parts/section.tsx';
import { PaymentLink } from '../../../parts/texts/payment-link.tsx';
import { Dimmed } from '../../../parts/texts/small-texts.tsx';
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
        {charges.length === 0 && <Dimmed>Nothing has been paid or charged</Dimmed>}
        {charges.map((charge) => (
          <OneCharge key={charge.id} charge={charge} currency={document.currency} />
        ))}
      </Stack>
    </Section>
  );
}

const OneCharge = ({
  charge,
  currency,
}: {
  readonly charge: Charge;
  readonly currency: string;
}) => (
  <div>
    <Group gap="xs">
      <PaymentLink payment={charge} currency={currency} />
      <StatusBadge status={charge.status} />
    </Group>
    <ChargeText charge={charge} currency={currency} pays={charge.pays} />
  </div>
);
