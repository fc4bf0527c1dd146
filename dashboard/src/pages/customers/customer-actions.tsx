import { Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CommandButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { MoreActions } from '../../commands/more-actions.tsx';
import type { MutationName } from '../../commands/mutations.generated.ts';
import { DraftDialog } from '../invoices/draft-dialog.tsx';
import { PayInvoicesDialog } from '../invoices/pay-invoices-dialog.tsx';
import { ReceiptDialog } from '../payments/receipt-dialog.tsx';
import { NewSubscriptionDialog } from '../subscriptions/new-subscription-dialog.tsx';
import { GrantCreditsDialog } from '../usage/grant-credits-dialog.tsx';
import {
  ArchiveCustomerDocument,
  EraseCustomerDocument,
  type OneCustomerQuery,
  UnarchiveCustomerDocument,
} from './customer.generated.ts';
import { EditDialog } from './edit-dialog.tsx';
import { PortalDialog } from './portal-dialog.tsx';

type Customer = NonNullable<OneCustomerQuery['customer']>;
type Dialog =
  | 'edit'
  | 'archive'
  | 'unarchive'
  | 'erase'
  | 'subscribe'
  | 'grant'
  | 'invoice'
  | 'pay'
  | 'received'
  | 'expected'
  | 'portal';

const choices: readonly (readonly [Dialog, string, MutationName])[] = [
  ['edit', 'Edit', 'updateCustomer'],
  ['grant', 'Grant usage credits', 'grantUsageCredits'],
  ['invoice', 'New invoice', 'createInvoice'],
  ['pay', 'Charge open invoices', 'payInvoices'],
  ['received', 'Record a payment', 'recordPayment'],
  ['expected', 'Expect a payment', 'expectPayment'],
  ['portal', 'Link to the portal', 'createCustomerToken'],
];

/** The commands of a customer. */
export function CustomerActions({ customer }: { readonly customer: Customer }) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const { id, externalId, archived } = customer;
  const erased = customer.erasedAt !== null;
  return (
    <>
      <CommandButton
        does="createSubscription"
        size="xs"
        onClick={() => setDialog('subscribe')}
        disabled={archived}
      >
        New subscription
      </CommandButton>
      <MoreActions
        onOpen={setDialog}
        actions={[
          ...choices.map(
            ([name, label, does]) =>
              [name, label, does, { disabled: archived && name !== 'edit' }] as const,
          ),
          archived && ['unarchive', 'Unarchive', 'unarchiveCustomer', { disabled: erased }],
          archived && ['erase', 'Erase personal data', 'eraseCustomer', { color: 'red' }],
          !archived && ['archive', 'Archive', 'archiveCustomer', { color: 'red' }],
        ]}
      />
      {dialog === 'edit' && <EditDialog customer={customer} onClose={close} />}
      {dialog === 'portal' && <PortalDialog externalId={externalId} onClose={close} />}
      {(dialog === 'received' || dialog === 'expected') && (
        <ReceiptDialog kind={dialog} onClose={close} customer={customer} />
      )}
      {dialog === 'pay' && <PayInvoicesDialog customerId={id} onClose={close} />}
      {dialog === 'invoice' && (
        <DraftDialog
          onClose={close}
          onDone={(invoice) => navigate(`/invoices/${invoice}`)}
          customer={customer}
        />
      )}
      {dialog === 'subscribe' && <NewSubscriptionDialog onClose={close} customer={customer} />}
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
        title="Erase the personal data"
        isOpen={dialog === 'erase'}
        onClose={close}
        document={EraseCustomerDocument}
        variables={{ id }}
        label="Erase for good"
        isDangerous
        done="The personal data is erased"
      >
        <Text size="sm">
          Name, addresses, metadata and payment data disappear from the records, the feed and the
          audit log. Invoices, credit notes and payments stay. Nothing can restore the data.
        </Text>
      </CommandDialog>
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
