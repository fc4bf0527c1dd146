import { z } from 'zod';
import type { CatalogPlan } from '#domain/catalog/catalog-plan.ts';
import {
  catalogState,
  expectCatalog,
  expectedCatalogInput,
} from '#domain/catalog/catalog-state.ts';
import {
  lockDefaultPricingModel,
  unsetDefaultPricingModel,
} from '#domain/catalog/default-pricing-model.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { enterPricingModel, type Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { applyCatalog } from './apply-catalog.ts';
import { documentInput } from './document-input.ts';

export const setUpPricingModelInput = z.object({
  pricingModel: documentInput,
  expectedCatalog: expectedCatalogInput,
});

export type SetUpPricingModelInput = z.output<typeof setUpPricingModelInput>;

/** A pricing model after a document, with the changes that the document made. */
export interface SetUpPricingModel {
  readonly pricingModel: PricingModel;
  readonly plan: CatalogPlan;
}

/**
 * Makes a pricing model equal to a document, in one transaction: the one of its name in the key's mode, else a new one.
 * Errors: BAD_REQUEST with the path of each wrong field, for a name of several pricing models, and for a second live
 * one; STALE for another state of the catalog than the expected one.
 */
export function setUpPricingModel(
  session: Session,
  { pricingModel: given, expectedCatalog }: SetUpPricingModelInput,
): Promise<SetUpPricingModel> {
  const document = { ...given, resources: given.resources ?? [] };
  return command(session, async (session) => {
    const current = await lockDefaultPricingModel(session);
    const found = await named(session, document.name);
    const missing = catalogState(null);
    if (!found) expectCatalog(missing, expectedCatalog);
    const pricingModel = found ?? (await begin(session, document, current));
    const own = enterPricingModel(session, pricingModel.id);
    const changed = await applyCatalog(own, document, found && expectedCatalog);
    const created = [addition(pricingModel), ...changed.created];
    const plan = found ? changed : { ...changed, state: missing, created };
    session.onPlan?.(plan);
    await session.em.refresh(pricingModel);
    return { pricingModel, plan };
  });
}

/** The pricing model that a name means: the key's own, else the only one. Errors: BAD_REQUEST. */
async function named({ em, pricingModelId }: Session, name: string): Promise<PricingModel | null> {
  const models = await em.find(PricingModel, { name }, { refresh: true });
  const own = models.find(({ id }) => id === pricingModelId);
  if (own || models.length <= 1) return own ?? models[0] ?? null;
  throw invalid(
    'MISMATCH',
    'pricingModel.name',
    `is the name of ${models.length} pricing models: send the document to the id of one of them (PUT /pricing-models/{id})`,
  );
}

async function begin(
  session: Session,
  { name, isDefault: wanted }: { name: string; isDefault?: boolean | null | undefined },
  current: PricingModel | null,
): Promise<PricingModel> {
  const isDefault = wanted ?? !current;
  if (isDefault) await unsetDefaultPricingModel(session, current);
  const pricingModel = session.em.create(PricingModel, { name, isDefault });
  await session.em.flush();
  return pricingModel;
}

const addition = ({ name }: PricingModel) => ({
  type: 'pricing_model' as const,
  objectId: null,
  slug: null,
  owner: null,
  reason: `there is no pricing model with the name ${name}`,
  fields: [],
});
