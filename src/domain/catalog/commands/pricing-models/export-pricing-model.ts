import { IsolationLevel } from '@mikro-orm/core';
import { documentOf } from '#domain/catalog/document-of.ts';
import { type CatalogRows, catalogOf, readRows } from '#domain/catalog/read-catalog.ts';
import { type ShownDocument, shownDocument } from '#domain/catalog/shown-document.ts';
import { enterPricingModel, type Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';

export interface ExportedPricingModel {
  readonly pricingModel: ShownDocument;
  /** The time of the last change of the pricing model or of its catalog. */
  readonly updatedAt: Date;
}

/**
 * The catalog of a pricing model as a document, from one snapshot: never a part of a change. Errors: NOT_FOUND.
 */
export async function exportPricingModel(
  session: Session,
  id: string,
): Promise<ExportedPricingModel> {
  await session.em.findOneOrFail(PricingModel, id);
  const own = enterPricingModel(session, id);
  return own.em.transactional(
    async (em) => {
      const rows = await readRows({ ...own, em });
      const pricingModel = shownDocument(documentOf(catalogOf(rows, session.now)));
      return { pricingModel, updatedAt: latestOf(rows) };
    },
    // Within the transaction of a larger request there is no snapshot of its own.
    session.em.isInTransaction() ? {} : { isolationLevel: IsolationLevel.REPEATABLE_READ },
  );
}

function latestOf({ model, products, meters, prices, features, resources, grants }: CatalogRows) {
  const all = [model, ...products, ...meters, ...prices, ...features, ...resources, ...grants];
  return new Date(all.reduce((latest, row) => Math.max(latest, row.updatedAt.getTime()), 0));
}
