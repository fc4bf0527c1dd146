import { useSyncExternalStore } from 'react';
import type { Connection } from '../connect.ts';
import {
  CatalogDocument,
  type CatalogPriceFragment,
  type CatalogProductFragment,
} from '../operations.generated.ts';
import { useService } from './provider.tsx';
import { readOnce } from './read-once.ts';
import { nothing } from './store.ts';
import { type Live, shown, useStore } from './use-store.ts';

/** A product on sale, with its prices and the features that it grants. */
export type CatalogProduct = CatalogProductFragment;

/** A price of a product on sale. */
export type CatalogPrice = CatalogPriceFragment;

async function readCatalog(connection: Connection): Promise<readonly CatalogProduct[]> {
  const all: CatalogProduct[] = [];
  let after: string | null | undefined;
  do {
    const { data } = await connection.execute(CatalogDocument, { after });
    all.push(...data.products.nodes);
    const { hasNextPage, endCursor } = data.products.pageInfo;
    after = hasNextPage ? endCursor : undefined;
  } while (after);
  return all;
}

/** The active catalog, as it is when the first part of a page shows it. */
export function useCatalog(): Live<readonly CatalogProduct[]> {
  const result = useStore<readonly CatalogProduct[]>('catalog', ({ connection }) =>
    readOnce(() => readCatalog(connection)),
  );
  return shown(result, (data) => data);
}

/** The ids of the prices to which the customer subscribes now. Empty for a publishable key. */
export function useCurrentPrices(): Live<readonly string[]> {
  const { own } = useService();
  const result = useSyncExternalStore(own.subscribe, own.get, () => nothing);
  return shown(result, ({ customers }) =>
    customers.nodes.flatMap((each) => each.currentSubscriptions.map(({ priceId }) => priceId)),
  );
}
