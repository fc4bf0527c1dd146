import { MultiSelect, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useHasScope } from '../../commands/permissions.tsx';
import { SecretCommandDialog } from '../../commands/secret-command-dialog.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import {
  CreateCustomerTokenDocument,
  type CreateCustomerTokenMutationVariables,
} from './access.generated.ts';

type Scope = NonNullable<
  Extract<CreateCustomerTokenMutationVariables['scopes'], readonly unknown[]>
>[number];

interface Props {
  readonly customer: string;
  readonly onClose: () => void;
}

const scopes: readonly { readonly value: Scope; readonly label: string }[] = [
  { value: 'subscriptions_write', label: 'Cancel and change subscriptions' },
  { value: 'payment_methods_write', label: 'Add and detach payment methods' },
  { value: 'payments_write', label: 'Pay invoices' },
  { value: 'claims_write', label: 'Claim and release capacity' },
  { value: 'customers_write', label: 'Switch optional mails' },
];

const lives = [
  { value: '900', label: '15 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
];

/** Creates a token for the browser of a customer, and shows it once. */
export function NewTokenDialog({ customer, onClose }: Props) {
  const [chosen, setChosen] = useState<Scope[]>([]);
  const life = useField('3600');
  const origins = useField<string[]>([]);
  const has = useHasScope();
  return (
    <SecretCommandDialog
      title="New customer token"
      onClose={onClose}
      document={CreateCustomerTokenDocument}
      variables={{
        customer,
        expiresIn: Number(life.value),
        scopes: chosen,
        ...(origins.value.length > 0 && { allowedOrigins: origins.value }),
      }}
      label="Create"
      done="The token is created"
      secretTitle="The new token"
      secretOf={({ createCustomerToken: created }) => created?.token}
    >
      <MultiSelect
        label="May"
        description="Besides reading the records of the customer"
        data={scopes.filter(({ value }) => has(value))}
        value={chosen}
        onChange={(values) => setChosen(values as Scope[])}
      />
      <Choice label="Ends after" data={lives} {...life} />
      <TagsInput
        label="Allowed origins"
        description="Of the pages that may use it; those of the organization when empty"
        placeholder="https://example.com, then Enter"
        {...origins}
      />
    </SecretCommandDialog>
  );
}
