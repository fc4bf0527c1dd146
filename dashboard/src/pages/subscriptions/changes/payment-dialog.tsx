import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { Choice } from '../../../parts/fields/choice.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { methodName } from '../../../parts/texts/method-name.ts';
import { MethodsToChooseDocument } from '../../invoices/invoice.generated.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';
import { UpdateDialog } from './update-dialog.tsx';

const collections = {
  charge_automatically: 'Charge a payment method',
  send_invoice: 'Send invoices',
} as const;

/** Changes how a subscription is paid: by which payment methods, or by invoices that are sent. */
export function PaymentDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { customer, collectionMethod } = subscription;
  const present = {
    method: subscription.defaultPaymentMethod?.id ?? null,
    backup: subscription.backupPaymentMethod?.id ?? null,
    days: subscription.daysUntilDue ?? 30,
  };
  const collection = useField<string>(collectionMethod);
  const method = useField(present.method);
  const backup = useField(present.backup);
  const days = useField<number | undefined>(present.days);
  const [{ data, error }] = useQuery({
    query: MethodsToChooseDocument,
    variables: { customer: customer.id },
  });
  const methods = data?.customer?.paymentMethodsPage.nodes.filter(({ detachedAt }) => !detachedAt);
  const choices = methods?.map((each) => ({
    value: each.id,
    label: `${methodName(each)}${each.default ? ', the default of the customer' : ''}`,
  }));
  const isSent = collection.value === 'send_invoice';
  const changes = {
    ...(collection.value !== collectionMethod && {
      collectionMethod: collection.value as 'send_invoice',
    }),
    ...(isSent && days.value !== subscription.daysUntilDue && { daysUntilDue: days.value }),
    ...(method.value !== present.method && { defaultPaymentMethodId: method.value }),
    ...(backup.value !== present.backup && { backupPaymentMethodId: backup.value }),
  };
  const isComplete = !isSent || days.value !== undefined;
  return (
    <UpdateDialog
      title="Change the payment"
      {...{ subscription, onClose }}
      changes={isComplete && changes}
      done="The payment is changed"
    >
      <Choice label="Payment" data={collections} {...collection} />
      {isSent ? (
        <NumberField
          label="Days until due"
          description="From the sending of an invoice"
          max={365}
          {...days}
        />
      ) : (
        <>
          <Choice
            label="Payment method"
            placeholder="The default of the customer"
            description="An amount that is due is charged to it in the next round"
            data={choices ?? []}
            {...method}
            error={error?.message}
          />
          <Select
            label="Backup"
            placeholder="None"
            description="Is charged where the first one fails"
            data={choices ?? []}
            {...backup}
            clearable
            clearButtonProps={{ 'aria-label': 'No backup' }}
          />
        </>
      )}
    </UpdateDialog>
  );
}
