import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { type OneCustomerQuery, UpdateCustomerDocument } from './customer.generated.ts';
import { CustomerFields } from './customer-fields.tsx';
import { changesOf, formOf } from './customer-input.ts';

interface Props {
  readonly customer: NonNullable<OneCustomerQuery['customer']>;
  readonly onClose: () => void;
}

/** Changes a customer. Only the changed fields are sent. */
export function EditDialog({ customer, onClose }: Props) {
  const [before] = useState(() => formOf(customer));
  const [form, setForm] = useState(before);
  const { externalId, version } = customer;
  const changes = changesOf(form, before);
  const isChanged = Object.keys(changes).length > 0;
  return (
    <CommandDialog
      title="Edit the customer"
      onClose={onClose}
      document={UpdateCustomerDocument}
      variables={isChanged && { externalId, version, customer: changes }}
      label="Save"
      done="The customer is changed"
    >
      <CustomerFields
        form={form}
        onChange={(changes) => setForm((present) => ({ ...present, ...changes }))}
      />
    </CommandDialog>
  );
}
