import { Text } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { AmountsTable } from '../../../parts/lists/amounts-table.tsx';
import { dayText } from '../../../parts/texts/days.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Dimmed } from '../../../parts/texts/small-texts.tsx';
import {
  ApplyDiscountDocument,
  type NextInvoiceFragment,
  RemoveDiscountDocument,
} from '../subscription.generated.ts';
import type { Subscription, SubscriptionDialogProps } from '../subscription.ts';
import { discountText } from './discount-text.ts';

/** The discount that a subscription has; undefined without one. */
export function presentDiscount({ discountRedemptions }: Subscription) {
  const [redemption] = discountRedemptions.nodes;
  return redemption?.removedAt === null ? redemption : undefined;
}

/** Redeems a discount for a subscription that exists. */
export function ApplyDiscountDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { id, currentBillingPeriodEnd: end } = subscription;
  const [typed, setTyped] = useState('');
  const discountCode = typed.trim();
  return (
    <CommandDialog
      title="Apply a discount"
      onClose={onClose}
      document={ApplyDiscountDocument}
      variables={discountCode && { id, discountCode }}
      label="Apply"
      done="The discount applies"
      more={({ applyDiscount: applied }) =>
        applied && <NextInvoice invoice={applied.upcomingInvoice} />
      }
    >
      <TextField
        label="Code"
        description={
          end
            ? `It reduces the billing periods from ${dayText(end)} on; the running one stays`
            : 'It reduces the billing periods that begin from now on'
        }
        data-autofocus
        value={typed}
        onChange={(text) => setTyped(text.toUpperCase())}
      />
    </CommandDialog>
  );
}

/** Ends the discount of a subscription. */
export function RemoveDiscountDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const redemption = presentDiscount(subscription);
  return (
    <CommandDialog
      title="Remove the discount"
      onClose={onClose}
      document={RemoveDiscountDocument}
      variables={{ id: subscription.id }}
      label="Remove"
      done="The discount is removed"
      more={({ removeDiscount: removed }) =>
        removed && <NextInvoice invoice={removed.upcomingInvoice} />
      }
    >
      {redemption && <Text size="sm">{discountText(redemption, subscription.currency)}</Text>}
      <Dimmed>The running billing period keeps the discount that it began with.</Dimmed>
    </CommandDialog>
  );
}

/** The next invoice after the change. */
function NextInvoice({ invoice }: { readonly invoice: NextInvoiceFragment | null }) {
  if (!invoice) return <Text size="sm">No invoice follows.</Text>;
  const { currency, lines, amountDue, invoiceDate } = invoice;
  return (
    <AmountsTable
      label="The next invoice after the change"
      isFramed
      currency={currency}
      lines={lines.map(({ description, amount }) => [description, amount])}
      due={[
        <span key="due">
          Due on <Instant at={invoiceDate} />
        </span>,
        amountDue,
      ]}
    />
  );
}
