import { timeWhereOf } from '../../parts/lists/day-range.ts';
import { FilterBar, type FilterChoice } from '../../parts/lists/filter-bar.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { EventsTable } from './events-table.tsx';

const choices: readonly FilterChoice[] = [
  { name: 'type', label: 'Type, such as invoice.paid' },
  { name: 'objectType', label: 'Type of object, such as Invoice' },
  { name: 'object', label: 'Id of the object' },
  { name: 'customer', label: 'Id of the customer' },
  {
    name: 'actor',
    label: 'Actor',
    values: ['api_key', 'customer_token', 'cron', 'system', 'processor', 'checkout'],
  },
  { name: 'from', label: 'From day' },
  { name: 'to', label: 'Before day' },
];

/** All events. New ones appear at the top. */
function EventsPage() {
  const filters = useFilters();
  const type = filters.get('type');
  const objectType = filters.get('objectType');
  const object = filters.get('object');
  const customer = filters.get('customer');
  const actor = filters.get('actor');
  const occurredAt = timeWhereOf(filters);
  const where = {
    ...(type && { type: { is: type } }),
    ...(objectType && { objectType: { is: objectType } }),
    ...(object && { object: { is: object } }),
    ...(customer && { customer: { is: customer } }),
    ...(actor && { actorType: { is: actor as 'api_key' } }),
    ...(occurredAt && { occurredAt }),
  };
  return (
    <Page title="Events">
      <FilterBar filters={filters} choices={choices} />
      <EventsTable where={where} />
    </Page>
  );
}

export { EventsPage as Component };
