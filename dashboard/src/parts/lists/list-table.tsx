import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ReactNode } from 'react';
import type { AnyVariables } from 'urql';
import { type Connection, useList } from '../../live/use-list.ts';
import { columnsOf, type ListColumn } from './customer-list.ts';
import { DataTable } from './data-table.tsx';

/** The rows of a list that a part of a page shows. */
export interface Rows<Where> {
  readonly where: Where;
  /** The order of the rows, the usual one when absent, and the way to change it. */
  readonly order?: string;
  readonly onOrder?: (order: string) => void;
  /** The customer whose rows these are; they then have no column for it. */
  readonly customerId?: string | undefined;
  /** The height of the rows' area in CSS. */
  readonly height?: string;
}

interface Props<Data, Variables, Row> extends Rows<unknown> {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly select: (data: Data) => Connection<Row>;
  /** The beginnings of the types of events that change the list; those of all when absent. */
  readonly kinds?: readonly string[];
  readonly usualOrder: string;
  readonly columns: readonly ListColumn<Row>[];
  /** The page of a row. */
  readonly pathOf?: (row: Row) => string;
  /** Shown in place of rows where there are none. */
  readonly empty: ReactNode;
}

/** The rows of a list that match conditions. */
export function ListTable<
  Data,
  Variables extends AnyVariables,
  Row extends { readonly id: string },
>(props: Props<Data, Variables, Row>) {
  const { document, select, kinds, columns, where, order = props.usualOrder, customerId } = props;
  const { label, onOrder, pathOf, height, empty } = props;
  const variables = { where, orderBy: order } as unknown as Omit<Variables, 'first' | 'after'>;
  const list = useList(document, variables, select, { ...(kinds && { kinds }), customerId });
  return (
    <DataTable
      label={label}
      list={list}
      columns={columnsOf(columns, customerId)}
      order={order}
      {...(onOrder && { onOrder })}
      {...(pathOf && { pathOf })}
      {...(height && { height })}
      empty={empty}
    />
  );
}
