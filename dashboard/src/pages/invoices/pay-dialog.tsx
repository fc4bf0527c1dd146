import { Select } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { methodName } from '../../parts/method-name.ts';
import { MethodsToChooseDocument, PayInvoiceDocument } from './invoice.generated.ts';

interface Props {
  readonly invoiceId: string;
  readonly customerId: string;
  readonly onClose: () => void;
}

/** Charges what is due of an invoice, with the default payment method or another one. */
export function PayDialog({ invoiceId, customerId, onClose }: Props) {
  const [method, setMethod] = useState<string | null>(null);
  const [{ data }] = useQuery({
    query: MethodsToChooseDocument,
    variables: { customer: customerId },
    requestPolicy: 'cache-and-network',
  });
  const methods = data?.customer?.paymentMethodsPage.nodes.filter(({ detachedAt }) => !detachedAt);
  return (
    <CommandDialog
      title="Charge the customer"
      isOpen
      onClose={onClose}
      document={PayInvoiceDocument}
      variables={{ id: invoiceId, ...(method && { paymentMethodId: method }) }}
      label="Charge"
      done="The payment method was charged"
    >
      <Select
        label="Payment method"
        placeholder="The default payment method"
        clearable
        data={(methods ?? []).map((each) => ({
          value: each.id,
          label: `${methodName(each)}${each.default ? ', default' : ''}${each.refusedAt ? ', refused' : ''}`,
        }))}
        value={method}
        onChange={setMethod}
      />
    </CommandDialog>
  );
}
