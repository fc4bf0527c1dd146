import { z } from 'zod';
import { currencyFor } from '#domain/catalog/currency.ts';
import {
  noChargeName,
  noChargeSlug,
  usageMeterSlugInput,
} from '#domain/catalog/no-charge-price.ts';
import { command } from '#domain/kernel/command.ts';
import { amountInput, countInput, nameInput, taxCodeInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { currencyInput } from '#domain/kernel/values/currencies.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { aggregationTypes, UsageMeter } from '#domain/model/catalog/usage-meter.ts';

export const createUsageMeterInput = z.object({
  usageMeter: z.object({
    name: nameInput,
    slug: usageMeterSlugInput,
    aggregationType: z.enum(aggregationTypes).nullish(),
    taxCode: taxCodeInput.nullish(),
  }),
  price: z
    .object({
      unitPrice: amountInput.nullish(),
      usageEventsPerUnit: countInput.nullish(),
      currency: currencyInput.nullish(),
    })
    .nullish(),
});

export type CreateUsageMeterInput = z.output<typeof createUsageMeterInput>;

/**
 * Adds a usage meter with its protected no-charge price and, when a price is given, a default price
 * under the meter's own slug. Errors: BAD_REQUEST for a taken slug.
 */
export function createUsageMeter(session: Session, { usageMeter, price }: CreateUsageMeterInput) {
  const { name, slug, aggregationType, taxCode } = usageMeter;
  const { unitPrice, usageEventsPerUnit } = price ?? {};
  const priced = unitPrice != null || usageEventsPerUnit != null;

  return command(
    session,
    async (session) => {
      const { em } = session;
      const currency = await currencyFor(session, price?.currency);
      const meter = em.create(UsageMeter, {
        name,
        slug,
        aggregationType: aggregationType ?? 'sum',
        taxCode: taxCode ?? null,
      });
      const monthly = {
        type: 'usage' as const,
        usageMeter: meter,
        currency,
        intervalUnit: 'month' as const,
        intervalCount: 1,
      };
      em.create(Price, {
        ...monthly,
        name: noChargeName(name),
        slug: noChargeSlug(slug),
        unitPrice: 0,
        usageEventsPerUnit: 1,
        isDefault: !priced,
        noCharge: true,
      });
      if (priced) {
        em.create(Price, {
          ...monthly,
          name,
          slug,
          unitPrice: unitPrice ?? 0,
          usageEventsPerUnit: usageEventsPerUnit ?? 1,
          isDefault: true,
        });
      }
      return meter;
    },
    meterPrice,
  );
}

/** A meter's prices have its name, so their slugs belong to the meter. */
const meterPrice = {
  price_slug_unique: [
    'TAKEN',
    'usageMeter.slug',
    'is the slug of an active price of this pricing model',
  ],
} as const;
