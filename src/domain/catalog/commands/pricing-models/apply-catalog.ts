import { LockMode } from '@mikro-orm/core';
import type { CatalogDocument } from '#domain/catalog/catalog-document.ts';
import { type CatalogChange, type CatalogPlan, planOf } from '#domain/catalog/catalog-plan.ts';
import { catalogState, expectCatalog } from '#domain/catalog/catalog-state.ts';
import { completed } from '#domain/catalog/complete-document.ts';
import { unsetDefaultPricingModel } from '#domain/catalog/default-pricing-model.ts';
import { planCatalog } from '#domain/catalog/plan-catalog.ts';
import { catalogOf, readRows } from '#domain/catalog/read-catalog.ts';
import { DomainError, invalidInput } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { detachFeatures } from '#domain/subscriptions/entitlement/detach-features.ts';
import { Slices } from '#engines/lockstep/slices.ts';
import { writeFeatures, writeMeters, writeResources } from './write-parts.ts';
import { writePrices } from './write-prices.ts';
import { writeGrants, writeProducts } from './write-products.ts';
import { idsOf, type Written } from './written.ts';

/**
 * Makes the catalog of the session's pricing model equal to a checked document. The caller has locked the organization;
 * then follow the rows, so that two documents are applied one after the other. Prices whose terms differ are retired
 * and replaced, and subscriptions keep them. Returns the changes. Errors: BAD_REQUEST for another state of the catalog
 * than the expected one and with the path of each field, before anything is written.
 */
export async function applyCatalog(
  session: Session,
  document: CatalogDocument,
  expectedCatalog?: string | null,
): Promise<CatalogPlan> {
  const rows = await readRows(session, LockMode.PESSIMISTIC_WRITE);
  // Other requests have their turn between these steps, which are long for a large catalog.
  const slices = new Slices();
  const stored = catalogOf(rows, session.now);
  await slices.turn();
  const state = catalogState(stored);
  expectCatalog(state, expectedCatalog);
  await slices.turn();
  const { changes, issues } = planCatalog(stored, completed(document, stored.currency));
  await slices.turn();
  if (issues.length > 0) {
    const placed = issues.map((issue) => ({ ...issue, path: ['pricingModel', ...issue.path] }));
    throw new DomainError('BAD_REQUEST', invalidInput, { issues: placed });
  }
  await write({ session, rows, ids: idsOf(rows) }, changes);
  return planOf(state, changes);
}

/** Objects that others refer to come first. */
async function write(written: Written, changes: readonly CatalogChange[]) {
  const of = <Type extends CatalogChange['type']>(type: Type) =>
    changes.filter((change) => change.type === type) as Extract<CatalogChange, { type: Type }>[];
  for (const { wanted } of of('pricing_model')) if (wanted) await writeModel(written, wanted);
  await writeResources(written, of('resource'));
  await writeMeters(written, of('usage_meter'));
  await writeFeatures(written, of('feature'));
  await writeProducts(written, of('product'));
  await writePrices(written, of('price'));
  const ended = await writeGrants(written, of('product_feature'));
  await detachFeatures(
    written.session,
    ended.map((id) => ({ id })),
  );
}

async function writeModel(
  { session, rows: { model } }: Written,
  { name, isDefault }: { readonly name: string; readonly isDefault: boolean },
) {
  model.name = name;
  if (isDefault && !model.isDefault) {
    await unsetDefaultPricingModel(
      session,
      await session.em.findOne(PricingModel, { isDefault: true }),
    );
    model.isDefault = true;
  }
  await session.em.flush();
}
