import type { EntityClass, FilterQuery } from '@mikro-orm/core';
import type { CatalogRows } from '#domain/catalog/read-catalog.ts';
import type { Session } from '#domain/kernel/session.ts';

/** The ids of a pricing model's objects by their slugs; an object that a document adds is there once it is written. */
export interface IdsBySlug {
  readonly resources: Map<string, string>;
  readonly meters: Map<string, string>;
  readonly features: Map<string, string>;
  readonly products: Map<string, string>;
}

/** The locked rows that a document is written to, and the session in their pricing model. */
export interface Written {
  readonly session: Session;
  readonly rows: CatalogRows;
  readonly ids: IdsBySlug;
}

const bySlug = (rows: readonly { readonly id: string; readonly slug: string }[]) =>
  new Map(rows.map(({ id, slug }) => [slug, id]));

export const idsOf = ({ resources, meters, features, products }: CatalogRows): IdsBySlug => ({
  resources: bySlug(resources),
  meters: bySlug(meters),
  features: bySlug(features),
  products: bySlug(products),
});

/** How many objects one flush writes: the ORM compares all that it knows at once, and serves no other request. */
const batchSize = 200;

interface Stored {
  readonly stored: { readonly id: string } | null;
}

/**
 * Writes changes in batches within the transaction. `write` gets the row of each change, if there is one, and returns
 * the row that it has created, if any. Returns the created rows.
 */
export async function inBatches<Row extends { id: string }, Change extends Stored>(
  session: Session,
  entity: EntityClass<Row>,
  changes: readonly Change[],
  write: (em: Session['em'], change: Change, row: Row | undefined) => Row | undefined,
): Promise<Row[]> {
  const created: Row[] = [];
  for (let at = 0; at < changes.length; at += batchSize) {
    const batch = changes.slice(at, at + batchSize);
    const em = session.em.fork({ keepTransactionContext: true });
    const ids = batch.flatMap(({ stored }) => (stored ? [stored.id] : []));
    const found =
      ids.length > 0
        ? await em.find(entity, { id: { $in: ids } } as object as FilterQuery<Row>)
        : [];
    const rows = new Map(found.map((row) => [row.id, row as Row]));
    for (const change of batch) {
      const row = write(em, change, rows.get(change.stored?.id ?? ''));
      if (row) created.push(row);
    }
    await em.flush();
  }
  return created;
}
