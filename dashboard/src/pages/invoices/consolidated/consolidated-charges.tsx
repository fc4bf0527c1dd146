import { Group, Stack } from '@mantine/core';
import { Section } from '../../../parts/section.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { Dimmed, PageLink } from '../../../parts/texts/small-texts.tsx';
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

function OneCharge({ charge, currency }: { readonly charge: Charge; readonly currency: string }) {
  const { id, amount, status } = charge;
  return (
    <div>
      <Group gap="xs">
        <PageLink to={`/payments/${id}`}>
          <Money amount={amount} currency={currency} />
        </PageLink>
        <StatusBadge status={status} />
      </Group>
      <ChargeText charge={charge} currency={currency} pays={charge.pays} />
    </div>
  );
}
