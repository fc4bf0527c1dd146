import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type AnyVariables, useClient } from 'urql';
import { useShown } from '../console/console.tsx';
import { useRefusal } from '../session/use-refusal.ts';
import { mergedRows } from './merged-rows.ts';
import type { Topics } from './topics.ts';
import { useChanges } from './use-changes.ts';

/** A page of rows, as each connection of the graph has it. */
export interface Connection<Row> {
  readonly nodes: readonly Row[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** A list without an end: rows are read as they are scrolled to, and change by themselves. */
export interface LiveList<Row> {
  readonly rows: readonly Row[];
  /** Undefined until the first answer. */
  readonly totalCount: number | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  /** Reads the list again, after a failure. */
  readonly reload: () => void;
}

interface Rows<Row> {
  readonly key: string;
  readonly rows: readonly Row[];
  readonly totalCount: number;
  readonly endCursor: string | null;
  readonly hasMore: boolean;
}

const pageSize = 100;

/**
 * Reads a list in pages. Variables `first` and `after` of the document are set here. New rows appear at their place;
 * changed rows that are further down are read again with the first page after them.
 */
export function useList<Data, Variables extends AnyVariables, Row extends { readonly id: string }>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'first' | 'after'>,
  select: (data: Data) => Connection<Row>,
  topics: Topics = {},
): LiveList<Row> {
  const client = useClient();
  const key = JSON.stringify(variables);
  const [list, setList] = useState<Rows<Row>>();
  const [error, setError] = useState<Error>();
  const current = useRef({ key, client, isBusy: false });
  current.current.key = key;
  const selected = useRef(select);
  selected.current = select;
  useShown(document, { ...variables, first: pageSize });
  useRefusal(error);

  const read = useCallback(
    async (after: string | null): Promise<Connection<Row> | undefined> => {
      const asked = { ...JSON.parse(key), first: pageSize, after } as Variables;
      const options = { requestPolicy: 'network-only' } as const;
      const { data, error } = await client.query(document, asked, options).toPromise();
      // The conditions have changed meanwhile: the answer is of no use.
      if (current.current.key !== key) return undefined;
      setError(error);
      return data && selected.current(data as Data);
    },
    [client, document, key],
  );

  useEffect(() => {
    let isEnded = false;
    void read(null).then((page) => {
      if (page && !isEnded) setList(listOf(key, page));
    });
    return () => {
      isEnded = true;
    };
  }, [key, read]);

  const isCurrent = list?.key === key;

  const loadMore = useCallback(async () => {
    if (!list?.hasMore || current.current.isBusy || list.key !== key) return;
    current.current.isBusy = true;
    try {
      const page = await read(list.endCursor);
      if (!page) return;
      setList((before) => before && appended(before, page));
    } finally {
      current.current.isBusy = false;
    }
  }, [key, list, read]);

  const refresh = async () => {
    const page = await read(null);
    if (!page) return;
    setList((before) => {
      if (!before || before.key !== key || before.rows.length <= pageSize) return listOf(key, page);
      const rows = mergedRows(before.rows, page.nodes, before.totalCount - page.totalCount);
      return { ...before, rows, totalCount: page.totalCount };
    });
  };
  useChanges(topics, refresh, !isCurrent);

  return {
    rows: list?.rows ?? [],
    totalCount: list?.totalCount,
    error,
    isLoading: !isCurrent && !error,
    hasMore: isCurrent && list.hasMore,
    loadMore: () => void loadMore(),
    reload: () => void refresh(),
  };
}

const listOf = <Row>(key: string, page: Connection<Row>): Rows<Row> => ({
  key,
  rows: page.nodes,
  totalCount: page.totalCount,
  endCursor: page.pageInfo.endCursor ?? null,
  hasMore: page.pageInfo.hasNextPage,
});

function appended<Row extends { readonly id: string }>(
  before: Rows<Row>,
  page: Connection<Row>,
): Rows<Row> {
  const known = new Set(before.rows.map(({ id }) => id));
  const added = page.nodes.filter(({ id }) => !known.has(id));
  return { ...listOf(before.key, page), rows: [...before.rows, ...added] };
}
