import { PageButton } from '../../commands/command-button.tsx';
import { FilterBar } from '../../parts/lists/filter-bar.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { useOwnCurrency } from '../../parts/use-own-currency.ts';
import { NewSubscriptionDialog } from './new-subscription-dialog.tsx';
import { SubscriptionsTable } from './subscriptions-table.tsx';
import { subscriptionChoices, subscriptionsWhere } from './subscriptions-where.ts';

/** All subscriptions, with conditions and orders. */
function SubscriptionsPage() {
  const filters = useFilters();
  const ownCurrency = useOwnCurrency();
  return (
    <Page
      title="Subscriptions"
      actions={
        <PageButton
          does="createSubscription"
          isNew
          dialog={(onClose) => <NewSubscriptionDialog onClose={onClose} />}
        >
          New subscription
        </PageButton>
      }
    >
      <FilterBar filters={filters} choices={subscriptionChoices} />
      <SubscriptionsTable
        where={subscriptionsWhere(filters, ownCurrency)}
        order={filters.get('order') ?? 'created_at_desc'}
        onOrder={(next) => filters.set('order', next)}
      />
    </Page>
  );
}

export { SubscriptionsPage as Component };
