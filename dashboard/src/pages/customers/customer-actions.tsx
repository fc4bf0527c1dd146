import { Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { PageButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { confirm } from '../../commands/confirm.tsx';
import { MoreActions } from '../../commands/more-actions.tsx';
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

const unarchiveCustomer = {
  does: 'unarchiveCustomer',
  document: UnarchiveCustomerDocument,
  title: 'Unarchive the customer',
  label: 'Unarchive',
  done: 'The customer is active again',
} as const;

const archiveCustomer = {
  does: 'archiveCustomer',
  document: ArchiveCustomerDocument,
  title: 'Archive the customer',
  label: 'Archive',
  color: 'red',
  isDangerous: true,
  done: 'The customer is archived',
} as const;

/** The commands of a customer. */
export function CustomerActions({ customer }: { readonly customer: Customer }) {
  const navigate = useNavigate();
  const { id, externalId, archived } = customer;
  return (
    <>
      <PageButton
        does="createSubscription"
        dialog={(onClose) => <NewSubscriptionDialog {...{ customer, onClose }} />}
        disabled={archived}
      >
        New subscription
      </PageButton>
      <MoreActions
        actions={[
          ['Edit', 'updateCustomer', (onClose) => <EditDialog {...{ customer, onClose }} />],
          [
            'Grant usage credits',
            'grantUsageCredits',
            (onClose) => (
              <GrantCreditsDialog onClose={onClose} subscriptions={customer.currentSubscriptions} />
            ),
            { disabled: archived },
          ],
          [
            'New invoice',
            'createInvoice',
            (onClose) => (
              <DraftDialog
                {...{ customer, onClose }}
                onDone={(invoice) => navigate(`/invoices/${invoice}`)}
              />
            ),
            { disabled: archived },
          ],
          [
            'Charge open invoices',
            'payInvoices',
            (onClose) => <PayInvoicesDialog customerId={id} onClose={onClose} />,
            { disabled: archived },
          ],
          [
            'Record a payment',
            'recordPayment',
            (onClose) => <ReceiptDialog kind="received" {...{ customer, onClose }} />,
            { disabled: archived },
          ],
          [
            'Expect a payment',
            'expectPayment',
            (onClose) => <ReceiptDialog kind="expected" {...{ customer, onClose }} />,
            { disabled: archived },
          ],
          [
            'Link to the portal',
            'createCustomerToken',
            (onClose) => <PortalDialog {...{ externalId, onClose }} />,
            { disabled: archived },
          ],
          archived && confirm(unarchiveCustomer, { id }, { disabled: customer.erasedAt !== null }),
          archived && [
            'Erase personal data',
            'eraseCustomer',
            (onClose) => <EraseDialog {...{ id, onClose }} />,
            { color: 'red' },
          ],
          !archived && confirm(archiveCustomer, { externalId }),
        ]}
      />
    </>
  );
}

interface EraseProps {
  readonly id: string;
  readonly onClose: () => void;
}

const EraseDialog = ({ id, onClose }: EraseProps) => (
  <CommandDialog
    title="Erase the personal data"
    onClose={onClose}
    document={EraseCustomerDocument}
    variables={{ id }}
    label="Erase for good"
    isDangerous
    done="The personal data is erased"
  >
    <Text size="sm">
      Name, addresses, metadata and payment data disappear from the records, the feed and the audit
      log. Invoices, credit notes and payments stay. Nothing can restore the data.
    </Text>
  </CommandDialog>
);
