import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch, patchNullable } from '#domain/kernel/values/patch.ts';
import { TaxRate } from '#domain/model/catalog/tax-rate.ts';
import { storeRate } from './store-rate.ts';
import { contradictionsOf, taxRateFields, usualCategory } from './tax-rate-input.ts';

export const updateTaxRateInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    taxRate: z.object(changesTo({ id: z.string(), ...taxRateFields })),
  })
  .refine(...sameId('taxRate'));

/**
 * Changes a tax rate for later invoices; invoices keep their taxes. Null empties the state, postal prefix, tax code,
 * reason and dates. A change between 0 and more without a category has the usual one. Errors: NOT_FOUND; BAD_REQUEST.
 */
export function updateTaxRate(
  session: Session,
  { id, taxRate: changes, expectedVersion }: z.output<typeof updateTaxRateInput>,
): Promise<TaxRate> {
  return command(session, async (session) => {
    const rate = await session.em.findOneOrFail(TaxRate, id, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    expectVersion(rate, expectedVersion);
    const { name, taxType, ratePercentage, country, customerKind, compound, category } = changes;
    const { state, postalPrefix, taxCode, reason, validFrom, validUntil } = changes;
    const wasTaxed = rate.category === 'S';
    patch(rate, { name, taxType, ratePercentage, country, customerKind, compound, category });
    patchNullable(rate, { state, postalPrefix, taxCode, reason, validFrom, validUntil });
    const isTaxed = Number(rate.ratePercentage) > 0;
    if (category == null && wasTaxed !== isTaxed) {
      rate.category = usualCategory(rate.ratePercentage);
    }
    const [first] = contradictionsOf(rate);
    if (first) throw invalid(first[0], `taxRate.${first[1]}`, first[2]);
    return storeRate(session, rate);
  });
}
