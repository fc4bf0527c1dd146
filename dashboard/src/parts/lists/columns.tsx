import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { wordsOf } from '../texts/formats.ts';
import { Instant } from '../texts/instant.tsx';
import { Money } from '../texts/money.tsx';
import { Remark } from '../texts/small-texts.tsx';
import { StatusBadge } from '../texts/status-badge.tsx';
import type { Column } from './column.ts';

type Having<Key extends string, Value> = { readonly [Name in Key]?: Value | null | undefined };
type More = Pick<Column<never>, 'from' | 'order'>;

/** A column of an amount in the currency of the row. */
export const moneyColumn = <Key extends string>(
  name: string,
  key: Key,
  more?: More,
): Column<{ readonly [Name in Key]: number } & { readonly currency: string }> => ({
  name,
  isNumber: true,
  cell: (row) => <Money amount={row[key]} currency={row.currency} size="sm" />,
  ...more,
});

/** A column of an instant: its day, or its distance to now. */
export const timeColumn = <Key extends string>(
  name: string,
  key: Key,
  { isRelative = false, ...more }: More & { readonly isRelative?: boolean } = {},
): Column<Having<Key, number>> => ({
  name,
  cell: (row) => <Instant at={row[key]} isRelative={isRelative} />,
  ...more,
});

/** A column of a name of the graph, such as `bank_transfer`, as words. */
export const wordsColumn = <Key extends string>(
  name: string,
  key: Key,
  more?: More,
): Column<Having<Key, string>> => ({
  name,
  cell: (row) => {
    const word = row[key];
    return <Text size="sm">{word ? wordsOf(word) : '—'}</Text>;
  },
  ...more,
});

/** A column of a text, cut where it is longer than `maw`. */
export const textColumn = <Key extends string>(
  name: string,
  key: Key,
  { from, order, ...props }: More & TextProps & { readonly dir?: 'auto' },
): Column<Having<Key, string>> => ({
  name,
  cell: (row) => (
    <Text size="sm" truncate {...props}>
      {row[key]}
    </Text>
  ),
  ...(from && { from }),
  ...(order && { order }),
});

/** A column of a name and a remark below it. */
export const namedColumn = <Row,>(
  name: string,
  nameOf: (row: Row) => ReactNode,
  remarkOf: (row: Row) => ReactNode,
): Column<Row> => ({
  name,
  cell: (row) => (
    <>
      <Text size="sm" fw={500} dir="auto">
        {nameOf(row)}
      </Text>
      <Remark>{remarkOf(row)}</Remark>
    </>
  ),
});

/** The column of the state of a row. */
export const statusColumn = (more?: More): Column<{ readonly status: string }> => ({
  name: 'Status',
  cell: ({ status }) => <StatusBadge status={status} />,
  ...more,
});

/** The column of the customer of a row. */
export const customerColumn = (
  maw: number,
  from: 'xs' | 'sm' = 'xs',
): Column<{ readonly customer?: { readonly name: string } | null | undefined }> => ({
  name: 'Customer',
  from,
  cell: ({ customer }) => (
    <Text size="sm" truncate maw={maw} dir="auto">
      {customer?.name}
    </Text>
  ),
});
