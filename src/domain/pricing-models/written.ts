import type { Session } from '#domain/kernel/session.ts';
import type { CatalogRows } from '#domain/rules/catalog/read-catalog.ts';

/** The locked rows that a document is written to, and the session in their pricing model. */
export interface Written {
  readonly session: Session;
  readonly rows: CatalogRows;
}
