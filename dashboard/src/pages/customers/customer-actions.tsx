import { Button, Menu, TextInput } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { NewSubscriptionDialog } from '../subscriptions/new-subscription-dialog.tsx';
import { GrantCreditsDialog } from '../usage/grant-credits-dialog.tsx';
import {
  ArchiveCustomerDocument,
  type OneCustomerQuery,
  UnarchiveCustomerDocument,
  UpdateCustomerDocument,
} from './customer.generated.ts';

type Customer = NonNullable<OneCustomerQuery['customer']>;
type Dialog = 'edit' | 'archive' | 'unarchive' | 'subscribe' | 'grant';

/** The commands of a customer. */
export function CustomerActions({ customer }: { readonly customer: Customer }) {
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const { id, externalId, archived } = customer;
  return (
    <>
      <Button size="xs" onClick={() => setDialog('subscribe')} disabled={archived}>
        New subscription
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label="More actions" px="xs">
            <IconDots size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('edit')}>Edit</Menu.Item>
          <Menu.Item onClick={() => setDialog('grant')} disabled={archived}>
            Grant usage credits
          </Menu.Item>
          {archived ? (
            <Menu.Item onClick={() => setDialog('unarchive')}>Unarchive</Menu.Item>
          ) : (
            <Menu.Item color="red" onClick={() => setDialog('archive')}>
              Archive
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'edit' && <EditDialog customer={customer} onClose={close} />}
      <NewSubscriptionDialog
        isOpen={dialog === 'subscribe'}
        onClose={close}
        customerId={id}
        currency={customer.currency}
      />
      <GrantCreditsDialog
        isOpen={dialog === 'grant'}
        onClose={close}
        subscriptions={customer.currentSubscriptions}
      />
      <CommandDialog
        title="Archive the customer"
        isOpen={dialog === 'archive'}
        onClose={close}
        document={ArchiveCustomerDocument}
        variables={{ externalId }}
        label="Archive"
        isDangerous
        done="The customer is archived"
      />
      <CommandDialog
        title="Unarchive the customer"
        isOpen={dialog === 'unarchive'}
        onClose={close}
        document={UnarchiveCustomerDocument}
        variables={{ id }}
        label="Unarchive"
        done="The customer is active again"
      />
    </>
  );
}

function EditDialog({
  customer: { externalId, version, ...given },
  onClose,
}: {
  readonly customer: Customer;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(given.name);
  const [email, setEmail] = useState(given.email);
  const isChanged = name !== given.name || email !== given.email;
  const customer = { name, email };
  return (
    <CommandDialog
      title="Edit the customer"
      isOpen
      onClose={onClose}
      document={UpdateCustomerDocument}
      variables={isChanged ? { externalId, version, customer } : undefined}
      label="Save"
      done="The customer is changed"
    >
      <TextInput
        label="Name"
        dir="auto"
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label="E-mail"
        type="email"
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
    </CommandDialog>
  );
}
