import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { lockDefaultPricingModel } from '#domain/catalog/default-pricing-model.ts';
import { documentOf } from '#domain/catalog/document-of.ts';
import { catalogOf, readRows } from '#domain/catalog/read-catalog.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { nameInput } from '#domain/kernel/inputs/inputs.ts';
import { enterPricingModel, type Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { applyCatalog } from './apply-catalog.ts';

export const environments = ['livemode', 'testmode'] as const;

export const clonePricingModelInput = z.object({
  id: z.string(),
  name: nameInput,
  destinationEnvironment: z.enum(environments).nullish(),
});

export type ClonePricingModelInput = z.output<typeof clonePricingModelInput>;

/**
 * Copies the active catalog of a pricing model into a new one, which is not the default. Without a destination the copy
 * is in the mode of the original. Errors: NOT_FOUND; BAD_REQUEST for a second live pricing model.
 */
export function clonePricingModel(
  session: Session,
  { id, name, destinationEnvironment }: ClonePricingModelInput,
): Promise<PricingModel> {
  return command(session, async (session) => {
    await lockDefaultPricingModel(session);
    await session.em.findOneOrFail(PricingModel, id);
    const source = enterPricingModel(session, id);
    const rows = await readRows(source, LockMode.PESSIMISTIC_READ);
    const document = documentOf(catalogOf(rows, session.now));

    const livemode = destinationEnvironment
      ? destinationEnvironment === 'livemode'
      : session.livemode;
    const target = enterPricingModel(session, '', livemode);
    if (livemode) await refuseSecond(target);
    const copy = target.em.create(PricingModel, { name, isDefault: false });
    await target.em.flush();
    await applyCatalog(enterPricingModel(target, copy.id), { ...document, name, isDefault: null });
    return copy;
  });
}

async function refuseSecond({ em }: Session) {
  const live = await em.findOne(PricingModel, { livemode: true });
  if (!live) return;
  throw invalid(
    'TAKEN',
    'destinationEnvironment',
    `Cannot clone to livemode: Your organization already has a livemode pricing model. Its id is ${live.id}: send it the exported document`,
  );
}
