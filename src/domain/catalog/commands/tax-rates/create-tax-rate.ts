import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import type { Session } from '#domain/kernel/session.ts';
import { TaxRate } from '#domain/model/catalog/tax-rate.ts';
import { storeRate } from './store-rate.ts';
import { contradictionsOf, taxRateFields, usualCategory } from './tax-rate-input.ts';

const { name, taxType, ratePercentage, country, ...optional } = taxRateFields;

export const createTaxRateInput = z.object({
  taxRate: z
    .object({
      ...{ name, taxType, ratePercentage, country },
      state: optional.state.nullish(),
      postalPrefix: optional.postalPrefix.nullish(),
      taxCode: optional.taxCode.nullish(),
      customerKind: optional.customerKind.nullish(),
      compound: optional.compound.nullish(),
      category: optional.category.nullish(),
      reason: optional.reason.nullish(),
      validFrom: optional.validFrom.nullish(),
      validUntil: optional.validUntil.nullish(),
    })
    .superRefine((rate, context) => {
      for (const [code, path, message] of contradictionsOf(rate)) {
        context.addIssue({ code: 'custom', ...coded(code, path, message) });
      }
    }),
});

/** Adds a tax rate to the key's pricing model. Errors: BAD_REQUEST for a rate that overlaps with another one. */
export function createTaxRate(
  session: Session,
  { taxRate }: z.output<typeof createTaxRateInput>,
): Promise<TaxRate> {
  return command(session, async (session) =>
    storeRate(
      session,
      session.em.create(TaxRate, {
        ...taxRate,
        state: taxRate.state ?? null,
        postalPrefix: taxRate.postalPrefix ?? null,
        taxCode: taxRate.taxCode ?? null,
        customerKind: taxRate.customerKind ?? 'any',
        compound: taxRate.compound ?? false,
        category: taxRate.category ?? usualCategory(taxRate.ratePercentage),
        reason: taxRate.reason ?? null,
        validFrom: taxRate.validFrom ?? null,
        validUntil: taxRate.validUntil ?? null,
      }),
    ),
  );
}
