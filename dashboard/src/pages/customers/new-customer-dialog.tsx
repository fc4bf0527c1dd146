import { Select } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { dayText } from '../../parts/texts/days.ts';
import { isLive } from '../../session/access.ts';
import { useSession } from '../../session/session.tsx';
import { ClocksToChooseDocument, CreateCustomerDocument } from './customer.generated.ts';
import { CustomerFields } from './customer-fields.tsx';
import { changesOf, formOf } from './customer-input.ts';

const empty = formOf();

/** Creates a customer, and opens its page. */
export function NewCustomerDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const isTest = !isLive(useSession().access);
  const [form, setForm] = useState(empty);
  const clock = useField<string | null>(null);
  const [{ data }] = useQuery({ query: ClocksToChooseDocument, pause: !isTest });
  const { name, email, externalId, ...rest } = changesOf(form, empty);
  const isComplete = name && email && externalId;
  return (
    <CommandDialog
      title="New customer"
      onClose={onClose}
      document={CreateCustomerDocument}
      variables={
        isComplete && {
          customer: {
            name,
            email,
            externalId,
            ...rest,
            ...(clock.value && { testClockId: clock.value }),
          },
        }
      }
      label="Create"
      done="The customer is created"
      onDone={({ createCustomer: created }) => {
        if (created) navigate(`/customers/${created.customer.id}`);
      }}
    >
      <CustomerFields
        isNew
        form={form}
        onChange={(changes) => setForm((present) => ({ ...present, ...changes }))}
      />
      {isTest && (data?.testClocks.nodes.length ?? 0) > 0 && (
        <Select
          label="Test clock"
          description="Its time is the customer's; it cannot be set later"
          placeholder="None"
          data={data?.testClocks.nodes.map(({ id, name, frozenTime }) => ({
            value: id,
            label: `${name ?? id}, ${dayText(frozenTime)}`,
          }))}
          {...clock}
          clearable
          clearButtonProps={{ 'aria-label': 'No test clock' }}
          searchable
        />
      )}
    </CommandDialog>
  );
}
