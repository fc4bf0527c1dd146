import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { type CatalogStructure, structureFields } from '#domain/catalog/catalog-document.ts';
import { expectedCatalogInput } from '#domain/catalog/catalog-state.ts';
import {
  lockDefaultPricingModel,
  unsetDefaultPricingModel,
} from '#domain/catalog/default-pricing-model.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { changesTo, nameInput, sameId } from '#domain/kernel/inputs/inputs.ts';
import { enterPricingModel, type Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { applyCatalog } from './apply-catalog.ts';
import { always, checkStructure } from './document-input.ts';

const parts = Object.keys(structureFields) as (keyof CatalogStructure)[];

/** The four lists of the catalog: all of them, or none. */
const isWhole = (given: Partial<Record<keyof CatalogStructure, unknown>>) =>
  parts.every((part) => given[part] != null);

export const updatePricingModelInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    expectedCatalog: expectedCatalogInput,
    pricingModel: z
      .object(
        changesTo({ id: z.string(), name: nameInput, isDefault: z.boolean(), ...structureFields }),
      )
      .superRefine((given, context) => {
        if (typeof given !== 'object' || given === null) return;
        if (isWhole(given)) checkStructure(given, context);
        else if (parts.some((part) => given[part] != null)) {
          const message = `is required: the catalog is replaced as a whole, by ${parts.join(', ')}`;
          for (const part of parts.filter((part) => given[part] == null)) {
            context.addIssue({ code: 'custom', ...coded('REQUIRED', part, message) });
          }
        }
      }, always),
  })
  .refine(...sameId('pricingModel'));

export type UpdatePricingModelInput = z.output<typeof updatePricingModelInput>;

/**
 * Renames a pricing model, makes it the default of its organization and mode, or replaces its catalog by the four lists
 * of a document. Errors: NOT_FOUND; BAD_REQUEST when the default would be left without a successor, and for each wrong
 * field of the document, before anything is written.
 */
export function updatePricingModel(
  session: Session,
  { id, pricingModel: given, expectedVersion, expectedCatalog }: UpdatePricingModelInput,
) {
  const { name, isDefault, features, products, usageMeters, resources } = given;
  const structure = { features, products, usageMeters, resources };

  return command(session, async (session) => {
    const { em } = session;
    if (isDefault || isWhole(structure)) {
      const current = await lockDefaultPricingModel(session);
      if (isDefault && current?.id !== id) await unsetDefaultPricingModel(session, current);
    }
    const model = await em.findOneOrFail(PricingModel, id, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
      refresh: true,
    });
    expectVersion(model, expectedVersion);
    if (isDefault === false && model.isDefault) {
      throw invalid(
        'IMMUTABLE',
        'pricingModel.isDefault',
        'cannot be unset: make another pricing model the default',
      );
    }
    if (!isWhole(structure)) {
      if (expectedCatalog != null) {
        const message = 'is for the four lists of a document: leave it out, or send them';
        throw invalid('NOT_ALLOWED', 'expectedCatalog', message);
      }
      return patch(model, { name, isDefault });
    }
    const document = { ...(structure as CatalogStructure), name: name ?? model.name, isDefault };
    const plan = await applyCatalog(enterPricingModel(session, id), document, expectedCatalog);
    session.onPlan?.(plan);
    await em.refresh(model);
    return model;
  });
}
