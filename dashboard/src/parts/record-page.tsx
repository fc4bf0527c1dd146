import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useLive } from '../live/use-live.ts';
import { RecordOr } from './record-or.tsx';

interface Props<Data, Record> {
  /** The query of the record, by its id. */
  readonly document: TypedDocumentNode<Data, { id: string }>;
  readonly select: (data: Data) => Record | null | undefined;
  /** The word for the record, such as "invoice". */
  readonly name: string;
  /** The beginnings of the types of events that change the page. */
  readonly kinds: readonly string[];
  readonly children: (record: Record, data: Data) => ReactNode;
}

/** The page of the record whose id is in the address. */
export function RecordPage<Data, Record>(props: Props<Data, Record>) {
  const { document, select, name, kinds, children } = props;
  const { id = '' } = useParams();
  const result = useLive(document, { id }, { kinds });
  const { data } = result;
  return (
    <RecordOr result={result} record={data && select(data)} name={name}>
      {(record) => data && children(record, data)}
    </RecordOr>
  );
}
