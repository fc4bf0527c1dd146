import { Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { Money } from '../../parts/texts/money.tsx';
import { OpenInvoicesDocument, PayInvoicesDocument } from './invoice.generated.ts';
import { MethodSelect } from './method-select.tsx';

interface Props {
  readonly customerId: string;
  /** The consolidated invoice whose invoices these are; all of the customer when absent. */
  readonly documentId?: string;
  readonly onClose: () => void;
}

/** Charges what is due of several open invoices of a customer, with one charge. All of them are chosen at first. */
export function PayInvoicesDialog({ customerId, documentId, onClose }: Props) {
  const method = useField<string | null>(null);
  const [without, setWithout] = useState<readonly string[]>([]);
  const [{ data, fetching }] = useQuery({
    query: OpenInvoicesDocument,
    variables: {
      where: {
        customer: { is: customerId },
        status: { is: 'open' },
        ...(documentId && { consolidatedInvoice: { is: documentId } }),
      },
    },
    requestPolicy: 'cache-and-network',
  });
  const open = (data?.invoices.nodes ?? []).filter(({ isBeingReplaced }) => !isBeingReplaced);
  const chosen = open.filter(({ id }) => !without.includes(id));
  const ids = chosen.map(({ id }) => id);
  const [currency, another] = new Set(chosen.map((invoice) => invoice.currency));
  const sum = chosen.reduce((sum, { amountDue }) => sum + amountDue, 0);
  const choose = (id: string, isChosen: boolean) =>
    setWithout((before) => (isChosen ? before.filter((each) => each !== id) : [...before, id]));
  return (
    <CommandDialog
      title="Charge open invoices"
      onClose={onClose}
      document={PayInvoicesDocument}
      variables={ids.length > 0 && { ids, ...(method.value && { paymentMethodId: method.value }) }}
      label="Charge"
      done="The payment method was charged once for all"
    >
      {!fetching && open.length === 0 && (
        <Text size="sm">There is no open invoice to charge now.</Text>
      )}
      <Stack gap="xs">
        {open.map(({ id, invoiceNumber, amountDue, currency }) => (
          <Group key={id} justify="space-between">
            <Checkbox
              label={invoiceNumber}
              checked={!without.includes(id)}
              onChange={(event) => choose(id, event.currentTarget.checked)}
            />
            <Money amount={amountDue} currency={currency} size="sm" />
          </Group>
        ))}
        {currency && !another && (
          <Group justify="space-between">
            <Text size="sm" fw={600}>
              One charge of
            </Text>
            <Money amount={sum} currency={currency} size="sm" fw={600} />
          </Group>
        )}
      </Stack>
      <MethodSelect customerId={customerId} {...method} />
    </CommandDialog>
  );
}
