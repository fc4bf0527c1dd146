import { useNavigate } from 'react-router';
import { PageButton } from '../../commands/command-button.tsx';
import { confirmItem } from '../../commands/confirm.tsx';
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

const commands = {
  unarchiveCustomer: {
    does: 'unarchiveCustomer',
    document: UnarchiveCustomerDocument,
    title: 'Unarchive the customer',
    label: 'Unarchive',
    done: 'The customer is active again',
  },
  archiveCustomer: {
    does: 'archiveCustomer',
    document: ArchiveCustomerDocument,
    title: 'Archive the customer',
    label: 'Archive',
    color: 'red',
    isDangerous: true,
    done: 'The customer is archived',
  },
  eraseCustomer: {
    does: 'eraseCustomer',
    document: EraseCustomerDocument,
    title: 'Erase the personal data',
    text: 'Name, addresses, metadata and payment data disappear from the records, the feed and the audit log. Invoices, credit notes and payments stay. Nothing can restore the data.',
    label: 'Erase for good',
    opener: 'Erase personal data',
    color: 'red',
    isDangerous: true,
    done: 'The personal data is erased',
  },
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
          archived &&
            confirmItem(
              commands.unarchiveCustomer,
              { id },
              { disabled: customer.erasedAt !== null },
            ),
          archived && confirmItem(commands.eraseCustomer, { id }),
          !archived && confirmItem(commands.archiveCustomer, { externalId }),
        ]}
      />
    </>
  );
}
