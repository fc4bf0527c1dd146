import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { IconFileInvoice, IconSearch, IconUser } from '../icons/icons.tsx';
import { wordsOf } from '../parts/texts/formats.ts';
import { Dimmed } from '../parts/texts/small-texts.tsx';
import { SearchDocument } from './search.generated.ts';

const [store, spotlight] = createSpotlight();

/** The search for a customer or an invoice from any page: Ctrl K, or a slash. */
export function Search() {
  const [query, setQuery] = useState('');
  const [text] = useDebouncedValue(query.trim(), 150);
  const navigate = useNavigate();
  const [{ data, fetching }] = useQuery({
    query: SearchDocument,
    variables: { text, number: text },
    pause: text === '',
    requestPolicy: 'network-only',
  });
  const found = text === '' ? undefined : data;
  const first = found?.customers.nodes[0]?.id ?? found?.invoices.nodes[0]?.id;
  // Enter opens the first record that is found for exactly this text.
  const isCurrent = !fetching && text === query.trim();
  useEffect(() => {
    store.updateState((state) => ({ ...state, selected: isCurrent && first ? 0 : -1 }));
  }, [isCurrent, first]);
  const marked = (id: string) => (isCurrent && id === first ? { 'data-selected': true } : {});
  return (
    <>
      <Button
        variant="default"
        size="xs"
        visibleFrom="md"
        leftSection={<IconSearch size={14} />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={spotlight.open}
      >
        Search
      </Button>
      <ActionIcon
        variant="default"
        size="md"
        hiddenFrom="md"
        aria-label="Search"
        onClick={spotlight.open}
      >
        <IconSearch size={16} />
      </ActionIcon>
      <Spotlight.Root
        store={store}
        query={query}
        onQueryChange={setQuery}
        shortcut={['mod + K', '/']}
        scrollable
        maxHeight={420}
      >
        <Spotlight.Search
          placeholder="A customer’s name, e-mail or id, or an invoice number"
          leftSection={<IconSearch size={18} />}
          aria-label="Search"
        />
        <Spotlight.ActionsList>
          {(found?.customers.nodes.length ?? 0) > 0 && (
            <Spotlight.ActionsGroup label="Customers">
              {found?.customers.nodes.map(({ id, name, email }) => (
                <Spotlight.Action
                  key={id}
                  {...marked(id)}
                  label={name}
                  description={email}
                  leftSection={<IconUser size={18} />}
                  onClick={() => navigate(`/customers/${id}`)}
                />
              ))}
            </Spotlight.ActionsGroup>
          )}
          {(found?.invoices.nodes.length ?? 0) > 0 && (
            <Spotlight.ActionsGroup label="Invoices">
              {found?.invoices.nodes.map(({ id, invoiceNumber, status, customer }) => (
                <Spotlight.Action
                  key={id}
                  {...marked(id)}
                  label={invoiceNumber}
                  description={`${customer.name} · ${wordsOf(status)}`}
                  leftSection={<IconFileInvoice size={18} />}
                  onClick={() => navigate(`/invoices/${id}`)}
                />
              ))}
            </Spotlight.ActionsGroup>
          )}
          {found && found.customers.nodes.length + found.invoices.nodes.length === 0 && (
            <Spotlight.Empty>Nothing found for “{text}”</Spotlight.Empty>
          )}
          {!found && (
            <Spotlight.Empty>
              <Dimmed>{fetching ? 'Searching…' : 'Type to search'}</Dimmed>
            </Spotlight.Empty>
          )}
        </Spotlight.ActionsList>
      </Spotlight.Root>
    </>
  );
}
