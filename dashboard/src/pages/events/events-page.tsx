import type { FilterChoice } from '../../parts/lists/conditions.ts';
import { from, until, whereOf } from '../../parts/lists/conditions.ts';
import { FilterBar } from '../../parts/lists/filter-bar.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { EventsTable } from './events-table.tsx';
import type { EventsQueryVariables } from './history.generated.ts';

const choices: readonly FilterChoice[] = [
  { name: 'type', label: 'Type, such as invoice.paid' },
  { name: 'objectType', label: 'Type of object, such as Invoice' },
  { name: 'object', label: 'Id of the object' },
  { name: 'customer', label: 'Id of the customer' },
  {
    name: 'actor',
    label: 'Actor',
    values: ['api_key', 'customer_token', 'cron', 'system', 'processor', 'checkout'],
    of: 'actorType',
  },
  { name: 'from', label: 'From day', of: 'occurredAt', condition: from },
  { name: 'to', label: 'Before day', of: 'occurredAt', condition: until },
];

/** All events. New ones appear at the top. */
function EventsPage() {
  const filters = useFilters();
  return (
    <Page title="Events">
      <FilterBar filters={filters} choices={choices} />
      <EventsTable where={whereOf<EventsQueryVariables['where']>(filters, choices)} />
    </Page>
  );
}

export { EventsPage as Component };
