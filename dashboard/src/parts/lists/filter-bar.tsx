import {
  Button,
  CloseButton,
  type ComboboxData,
  Group,
  Menu,
  Pill,
  Select,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { IconFilter, IconSearch } from '../../icons/icons.tsx';
import { CustomerSelect } from '../fields/customer-select.tsx';
import { TextField } from '../fields/text-field.tsx';
import { CustomerName } from '../texts/customer-name.tsx';
import { wordsOf } from '../texts/formats.ts';
import { useOwnCurrency } from '../use-own-currency.ts';
import { currencyOf, readBound } from './amount-where.ts';
import { any, conditionOf, type FilterChoice } from './conditions.ts';
import type { Filters } from './use-filters.ts';

interface Props {
  readonly filters: Filters;
  readonly choices?: readonly FilterChoice[];
  /** The name of the text search; no search when absent. */
  readonly search?: string;
}

/** A search and the conditions of a list, each a chip that can be removed. */
export function FilterBar({ filters, choices = [], search }: Props) {
  const set = choices.filter((choice) => conditionOf(filters, choice) !== undefined);
  const free = choices.filter((choice) => conditionOf(filters, choice) === undefined);
  const [adding, setAdding] = useState<FilterChoice>();
  const currency = currencyOf(filters, useOwnCurrency());
  const problems = set.flatMap((choice) => {
    const text = choice.kind === 'amount' && conditionOf(filters, choice);
    const problem = text && readBound(text, currency).problem;
    return problem ? [`${choice.label}: ${problem}`] : [];
  });
  return (
    <Group gap="xs">
      {search && <SearchBox label={search} filters={filters} />}
      {set.map((choice) => {
        const { name, label, kind, usual } = choice;
        return (
          <Pill
            key={name}
            size="md"
            bg="var(--mantine-color-default-hover)"
            withRemoveButton
            onRemove={() => filters.set(name, usual === undefined ? undefined : any)}
            removeButtonProps={{
              'aria-label': `Remove ${label}`,
              'aria-hidden': false,
              tabIndex: 0,
            }}
          >
            {label}: <ValueOf kind={kind} value={conditionOf(filters, choice) ?? ''} />
          </Pill>
        );
      })}
      {adding && (
        <NewCondition
          choice={adding}
          currency={currency}
          onValue={(value) => {
            filters.set(adding.name, value);
            setAdding(undefined);
          }}
          onCancel={() => setAdding(undefined)}
        />
      )}
      {free.length > 0 && !adding && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" size="xs" leftSection={<IconFilter size={14} />}>
              Filter
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {free.map((choice) => (
              <Menu.Item key={choice.name} onClick={() => setAdding(choice)}>
                {choice.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {problems.map((problem) => (
        <Text key={problem} w="100%" size="xs" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      ))}
    </Group>
  );
}

function ValueOf({ kind, value }: { readonly kind: FilterChoice['kind']; readonly value: string }) {
  if (kind === 'customer') return <CustomerName id={value} />;
  return kind ? value : wordsOf(value);
}

function NewCondition({
  choice: { label, values, kind },
  currency,
  onValue,
  onCancel,
}: {
  readonly choice: FilterChoice;
  /** The currency of amounts. */
  readonly currency: string | undefined;
  readonly onValue: (value: string) => void;
  readonly onCancel: () => void;
}) {
  const [text, setText] = useState('');
  const amount = kind === 'amount' ? readBound(text, currency) : undefined;
  if (values) {
    const data: ComboboxData = values.map((value) => ({ value, label: wordsOf(value) }));
    return (
      <Select
        size="xs"
        aria-label={label}
        placeholder={label}
        data={data}
        autoFocus
        defaultDropdownOpened
        searchable
        onChange={(value) => (value === null ? onCancel() : onValue(value))}
        onDropdownClose={onCancel}
      />
    );
  }
  if (kind === 'customer') {
    return (
      <CustomerSelect
        size="xs"
        label={label}
        isOpened
        value={null}
        onChange={(customer) => (customer ? onValue(customer.id) : onCancel())}
        onClose={onCancel}
      />
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (amount?.problem === undefined) onValue(text.trim());
      }}
    >
      <TextField
        size="xs"
        {...(kind === 'day' && { type: 'date' })}
        {...(amount && { inputMode: 'decimal', error: amount.problem })}
        value={text}
        onChange={setText}
        aria-label={label}
        placeholder={`${label}, then Enter`}
        autoFocus
        rightSection={<CloseButton size="xs" aria-label="Cancel" onClick={onCancel} />}
      />
    </form>
  );
}

/** Searches while the reader types. */
function SearchBox({ label, filters }: { readonly label: string; readonly filters: Filters }) {
  const current = filters.get('search') ?? '';
  const [text, setText] = useState(current);
  useEffect(() => setText(current), [current]);
  const apply = useDebouncedCallback((value: string) => filters.set('search', value), 200);
  return (
    <TextInput
      type="search"
      size="xs"
      w={{ base: '100%', xs: 280 }}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={14} />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value);
      }}
    />
  );
}
