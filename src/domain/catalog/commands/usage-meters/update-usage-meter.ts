import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { noChargeSlug, usageMeterSlugInput } from '#domain/catalog/no-charge-price.ts';
import { aggregationProblem } from '#domain/catalog/pricing-problems.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, nameInput, sameId, taxCodeInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch, patchNullable } from '#domain/kernel/values/patch.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { aggregationTypes, UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { UsageMeterBalance } from '#domain/model/metering/usage-meter-balance.ts';

export const updateUsageMeterInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    usageMeter: z.object(
      changesTo({
        id: z.string(),
        name: nameInput,
        slug: usageMeterSlugInput,
        aggregationType: z.enum(aggregationTypes),
        taxCode: taxCodeInput,
      }),
    ),
  })
  .refine(...sameId('usageMeter'));

export type UpdateUsageMeterInput = z.output<typeof updateUsageMeterInput>;

/**
 * Changes a usage meter. Its fallback price follows a new slug, so that both are always found together. The
 * aggregation can change until the first usage, and null removes the tax code. Errors: NOT_FOUND; BAD_REQUEST for a taken slug.
 */
export function updateUsageMeter(
  session: Session,
  { id, usageMeter, expectedVersion }: UpdateUsageMeterInput,
) {
  const { name, slug, aggregationType, taxCode } = usageMeter;

  return command(session, async ({ em }) => {
    const meter = await em.findOneOrFail(UsageMeter, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    expectVersion(meter, expectedVersion);
    if (aggregationType != null && aggregationType !== meter.aggregationType) {
      await refuseWhenUsed(em, meter);
      await refuseMatrix(em, meter, aggregationType);
    }
    if (slug != null && slug !== meter.slug) {
      const fallback = await em.findOneOrFail(Price, { usageMeter: meter.id, noCharge: true });
      fallback.slug = noChargeSlug(slug);
    }
    patchNullable(meter, { taxCode });
    return patch(meter, { name, slug, aggregationType });
  });
}

async function refuseMatrix(em: EntityManager, { id }: UsageMeter, aggregationType: string) {
  const prices = await em.find(Price, { usageMeter: id, active: true, model: 'matrix' });
  const [price] = prices.filter(({ model }) => aggregationProblem(model, aggregationType));
  if (!price) return;
  throw invalid(
    'NOT_ALLOWED',
    'usageMeter.aggregationType',
    `must be sum or count, since ${price.slug ?? price.id} has a matrix: retire that price first`,
  );
}

async function refuseWhenUsed(em: EntityManager, { id }: UsageMeter) {
  if ((await em.count(UsageMeterBalance, { usageMeter: id })) === 0) return;
  throw invalid(
    'IMMUTABLE',
    'usageMeter.aggregationType',
    'can no longer change, because usage has been recorded: create another usage meter',
  );
}
