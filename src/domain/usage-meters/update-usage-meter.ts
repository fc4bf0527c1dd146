import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '../command.ts';
import { changesTo, nameInput, sameId } from '../inputs.ts';
import { patch } from '../patch.ts';
import { Price } from '../prices/price.ts';
import type { Session } from '../session.ts';
import { noChargeSlug, usageMeterSlugInput } from './no-charge-price.ts';
import { aggregationTypes, UsageMeter } from './usage-meter.ts';

export const updateUsageMeterInput = z
  .object({
    id: z.string(),
    usageMeter: z.object(
      changesTo({
        id: z.string(),
        name: nameInput,
        slug: usageMeterSlugInput,
        aggregationType: z.enum(aggregationTypes),
      }),
    ),
  })
  .refine(...sameId('usageMeter'));

export type UpdateUsageMeterInput = z.output<typeof updateUsageMeterInput>;

/**
 * Changes a usage meter. Its fallback price follows a new slug, so that the two are always found
 * together. Errors: NOT_FOUND; BAD_REQUEST for a taken slug.
 */
export function updateUsageMeter(session: Session, { id, usageMeter }: UpdateUsageMeterInput) {
  const { name, slug, aggregationType } = usageMeter;

  return command(session, async ({ em }) => {
    const meter = await em.findOneOrFail(UsageMeter, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (slug != null && slug !== meter.slug) {
      const fallback = await em.findOneOrFail(Price, { usageMeter: meter.id, noCharge: true });
      fallback.slug = noChargeSlug(slug);
    }
    return patch(meter, { name, slug, aggregationType });
  });
}
