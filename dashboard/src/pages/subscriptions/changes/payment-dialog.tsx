import { Select } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { methodName } from '../../../parts/texts/method-name.ts';
import {
  MethodsToChargeDocument,
  type OneSubscriptionQuery,
  UpdateSubscriptionDocument,
} from '../subscription.generated.ts';

interface Props {
  readonly subscription: NonNullable<OneSubscriptionQuery['subscription']>;
  readonly onClose: () => void;
}

const collections = [
  { value: 'charge_automatically', label: 'Charge a payment method' },
  { value: 'send_invoice', label: 'Send invoices' },
];

/** Changes how a subscription is paid: by which payment methods, or by invoices that are sent. */
export function PaymentDialog({ subscription, onClose }: Props) {
  const { id, version, customer, collectionMethod } = subscription;
  const present = {
    method: subscription.defaultPaymentMethod?.id ?? null,
    backup: subscription.backupPaymentMethod?.id ?? null,
    days: subscription.daysUntilDue ?? 30,
  };
  const [collection, setCollection] = useState<string>(collectionMethod);
  const [method, setMethod] = useState(present.method);
  const [backup, setBackup] = useState(present.backup);
  const [days, setDays] = useState<number | undefined>(present.days);
  const [{ data, error }] = useQuery({
    query: MethodsToChargeDocument,
    variables: { customer: customer.id },
  });
  const methods = data?.customer?.paymentMethodsPage.nodes.filter(({ detachedAt }) => !detachedAt);
  const choices = methods?.map((each) => ({
    value: each.id,
    label: `${methodName(each)}${each.default ? ', the default of the customer' : ''}`,
  }));
  const isSent = collection === 'send_invoice';
  const changes = {
    ...(collection !== collectionMethod && { collectionMethod: collection as 'send_invoice' }),
    ...(isSent && days !== subscription.daysUntilDue && { daysUntilDue: days }),
    ...(method !== present.method && { defaultPaymentMethodId: method }),
    ...(backup !== present.backup && { backupPaymentMethodId: backup }),
  };
  const isComplete = Object.keys(changes).length > 0 && (!isSent || days !== undefined);
  return (
    <CommandDialog
      title="Change the payment"
      onClose={onClose}
      document={UpdateSubscriptionDocument}
      variables={isComplete ? { id, version, subscription: changes } : undefined}
      label="Change"
      done="The payment is changed"
    >
      <Select
        label="Payment"
        data={collections}
        value={collection}
        onChange={(value) => setCollection(value ?? collectionMethod)}
        allowDeselect={false}
      />
      {isSent ? (
        <NumberField
          label="Days until due"
          description="From the sending of an invoice"
          max={365}
          value={days}
          onChange={setDays}
        />
      ) : (
        <>
          <Select
            label="Payment method"
            placeholder="The default of the customer"
            description="An amount that is due is charged to it in the next round"
            data={choices ?? []}
            value={method}
            onChange={setMethod}
            allowDeselect={false}
            error={error?.message}
          />
          <Select
            label="Backup"
            placeholder="None"
            description="Is charged where the first one fails"
            data={choices ?? []}
            value={backup}
            onChange={setBackup}
            clearable
            clearButtonProps={{ 'aria-label': 'No backup' }}
          />
        </>
      )}
    </CommandDialog>
  );
}
