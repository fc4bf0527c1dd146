import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useQuery } from 'urql';
import {
  CustomersToChooseDocument,
  type CustomersToChooseQuery,
} from './customers-to-choose.generated.ts';

/** A customer that can be chosen. */
export type ChosenCustomer = CustomersToChooseQuery['customers']['nodes'][number];

interface Props {
  readonly label?: string;
  readonly size?: 'xs' | 'sm';
  readonly value: string | null;
  readonly onChange: (customer: ChosenCustomer | undefined) => void;
  readonly onClose?: () => void;
  readonly isOpened?: boolean;
}

/** The choice of a customer, by a search of names and e-mail addresses as the reader types. */
export function CustomerSelect(props: Props) {
  const { label = 'Customer', size = 'sm', value, onChange, onClose, isOpened = false } = props;
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ChosenCustomer>();
  const [search] = useDebouncedValue(chosen?.name === text ? '' : text.trim(), 200);
  const [{ data, error, fetching }] = useQuery({
    query: CustomersToChooseDocument,
    variables: { search: search || null },
  });
  const found = data?.customers.nodes ?? [];
  const all = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  return (
    <Select
      {...(size === 'xs' ? { 'aria-label': label } : { label })}
      size={size}
      placeholder="Name or e-mail"
      data={all.map(({ id, name }) => ({ value: id, label: name }))}
      // The service has searched already, by more than the name.
      filter={({ options }) => options}
      searchable
      autoFocus={isOpened}
      defaultDropdownOpened={isOpened}
      nothingFoundMessage={fetching ? 'Searching' : 'No customer'}
      searchValue={text}
      onSearchChange={setText}
      value={value}
      onChange={(id) => {
        const next = all.find((customer) => customer.id === id);
        setChosen(next);
        onChange(next);
      }}
      {...(onClose && { onDropdownClose: onClose })}
      error={error?.message}
    />
  );
}
