import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AnyVariables } from 'urql';
import type { Connection } from '../../live/use-list.ts';
import { useOwnCurrency } from '../use-own-currency.ts';
import { type FilterChoice, whereOf } from './conditions.ts';
import { choicesOf, type ListColumn } from './customer-list.ts';
import { FilterBar } from './filter-bar.tsx';
import { ListTable } from './list-table.tsx';
import type { Filters } from './use-filters.ts';

interface Props<Data, Variables, Row> {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly filters: Filters;
  readonly choices: readonly FilterChoice[];
  /** The name of the text search, no search when absent, and its condition. */
  readonly search?: string;
  readonly searchOf?: (text: string) => object;
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly select: (data: Data) => Connection<Row>;
  /** The beginnings of the types of events that change the list. */
  readonly kinds?: readonly string[];
  /** The order where the address has none. */
  readonly order: string;
  readonly columns: readonly ListColumn<Row>[];
  /** The customer whose rows these are; those of all when absent. */
  readonly customerId?: string | undefined;
  readonly pathOf?: (row: Row) => string;
  /** Shown in place of rows where there are none. */
  readonly empty: ReactNode;
  readonly height?: string;
}

/** A list with its conditions and its order in the address of the page. */
export function FilteredList<
  Data,
  Variables extends AnyVariables,
  Row extends { readonly id: string },
>(props: Props<Data, Variables, Row>) {
  const { label, filters, choices, search, document, select, kinds, columns, customerId } = props;
  const { searchOf = (text) => ({ search: text }), pathOf, empty } = props;
  const ownCurrency = useOwnCurrency();
  const orderBy = filters.get('order') ?? props.order;
  const free = choicesOf(choices, customerId);
  const text = search && filters.get('search');
  const where = {
    ...(text && searchOf(text)),
    ...(customerId && { customer: { is: customerId } }),
    ...whereOf<object>(filters, free, ownCurrency),
  };
  return (
    <Stack gap="md">
      <FilterBar filters={filters} choices={free} {...(search && { search })} />
      <ListTable
        {...{ label, document, select, columns, where, customerId, empty }}
        {...(kinds && { kinds })}
        usualOrder={orderBy}
        onOrder={(next) => filters.set('order', next)}
        {...(pathOf && { pathOf })}
        height={props.height ?? 'calc(100dvh - 320px)'}
      />
    </Stack>
  );
}
