import { useLive } from '../../live/use-live.ts';
import { AmountsTable } from '../../parts/lists/amounts-table.tsx';
import { Section } from '../../parts/section.tsx';
import { numberText } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { taxRows } from '../../parts/texts/tax-texts.ts';
import { SubscriptionUpcomingDocument } from './subscription.generated.ts';

interface Props {
  readonly subscriptionId: string;
  readonly customerId: string;
}

/** The next invoice of a subscription, as it would be now; nothing where none follows. */
export function Upcoming({ subscriptionId, customerId }: Props) {
  const { data } = useLive(
    SubscriptionUpcomingDocument,
    { id: subscriptionId },
    {
      kinds: [
        'subscription',
        'subscription_item',
        'discount_redemption',
        'billing_period',
        'invoice',
        'usage_event',
        'customer',
      ],
      customerId,
    },
  );
  const invoice = data?.upcomingInvoice;
  if (!invoice) return null;
  const { currency, lines, dueDate } = invoice;
  return (
    <Section title="Upcoming invoice">
      <Dimmed mb="xs">
        <Instant at={invoice.invoiceDate} />
        {dueDate !== null && dueDate > invoice.invoiceDate && (
          <>
            , due <Instant at={dueDate} />
          </>
        )}
      </Dimmed>
      <AmountsTable
        label="Lines of the upcoming invoice"
        currency={currency}
        lines={[
          ...lines.map(
            ({ description, quantity, amount }) =>
              [
                quantity === 1 ? description : `${description} × ${numberText(quantity)}`,
                amount,
              ] as const,
          ),
          ...taxRows(invoice, (text) => `${text}, included`).flatMap(([name, amount]) =>
            amount === 0 ? [] : [[name, amount] as const],
          ),
          ...(invoice.creditApplied === 0 ? [] : [['Credit', -invoice.creditApplied] as const]),
        ]}
        due={['Due', invoice.amountDue]}
      />
    </Section>
  );
}
