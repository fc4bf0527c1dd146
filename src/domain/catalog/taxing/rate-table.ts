import { asCommand } from '#domain/kernel/reads/as-command.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { AppliedRate } from '#domain/model/catalog/tax.ts';
import { TaxRate } from '#domain/model/catalog/tax-rate.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { crossesBorder } from './european-union.ts';
import { groupLines } from './group-lines.ts';
import { ruleIn } from './organization-rule.ts';
import type { Taxable, TaxEngine, TaxRequest } from './tax-engine.ts';
import { reverseCharge } from './untaxed.ts';

/**
 * The engine `rates`: the tax rates at the place of the customer. A customer of another member state with a VAT number
 * accounts for VAT itself. The rule of the organization applies where no rate does.
 */
export const rateTable: TaxEngine = async (session, request) => {
  const { customer, settings, lines } = request;
  const place = placeOf(request);
  const seller = { country: settings.address?.country, taxIds: settings.taxIds };
  if (crossesBorder(seller, { country: place.country, taxIds: customer.taxIds })) {
    return reverseCharge(place.country);
  }
  const rates = await ratesAt(session, request, place);
  if (rates.length === 0) return ruleIn(settings);
  const codes = rates.some(({ taxCode }) => taxCode) ? await codesOf(session, lines) : new Map();
  return groupLines(lines, {
    inclusive: settings.taxInclusive,
    codeOf: ({ priceId }) => codes.get(priceId ?? '') ?? null,
    ratesFor: (code) => ratesFor(rates, code),
  });
};

interface Place {
  readonly country: string | null;
  readonly state: string | null;
  readonly postalCode: string;
}

/** The place of the customer; that of the organization where the customer has no address. */
function placeOf({ customer, settings }: TaxRequest): Place {
  const address = customer.billingAddress?.address ?? settings.address;
  const { country = null, state = null, postal_code: postalCode } = address ?? {};
  return { country, state: state && plain(state), postalCode: plain(postalCode ?? '') };
}

/** Without spaces and in lower case, as people compare names and codes. */
const plain = (text: string) => text.replace(/\s/g, '').toLowerCase();

async function ratesAt(
  { em, now }: Session,
  { customer }: TaxRequest,
  { country, state, postalCode }: Place,
): Promise<TaxRate[]> {
  if (!country) return [];
  const kind = customer.taxIds.length > 0 ? 'business' : 'consumer';
  const orderBy = { createdAt: 'asc', position: 'asc' } as const;
  const where = { country, customerKind: { $in: ['any', kind] } } as const;
  // An invoice that a customer sees before it exists has its taxes, too.
  const all = await asCommand(() => em.find(TaxRate, where, { orderBy }));
  return all.filter(
    (rate) =>
      (!rate.state || plain(rate.state) === state) &&
      (!rate.postalPrefix || postalCode.startsWith(plain(rate.postalPrefix))) &&
      (!rate.validFrom || rate.validFrom <= now) &&
      (!rate.validUntil || rate.validUntil > now),
  );
}

/** How exactly a rate names its products and customers; of each tax of an area the most exact rate applies. */
const exactness = ({ taxCode, customerKind }: TaxRate) =>
  (taxCode ? 2 : 0) + (customerKind === 'any' ? 0 : 1);

/** How small the area of a rate is: taxes apply from the country to its parts, compound ones after the others. */
const depth = ({ postalPrefix, state, compound }: TaxRate) =>
  (compound ? 4 : 0) + (postalPrefix ? 2 : 0) + (state ? 1 : 0);

/** The rates for a tax code, in the order in which they apply. */
function ratesFor(rates: readonly TaxRate[], code: string | null): AppliedRate[] {
  const matching = rates.filter(({ taxCode }) => !taxCode || taxCode === code);
  const byTax = Map.groupBy(matching, ({ state, postalPrefix, taxType }) =>
    JSON.stringify([taxType, state, postalPrefix]),
  );
  return [...byTax.values()]
    .map((same) => same.reduce((best, rate) => (exactness(rate) > exactness(best) ? rate : best)))
    .sort((a, b) => depth(a) - depth(b))
    .map(({ name, taxType, ratePercentage, country, state, compound, category, reason }) => ({
      ...{ name, taxType, ratePercentage, country, compound, category },
      state: state ?? null,
      reason: reason ?? null,
    }));
}

/** The tax codes of the products and usage meters of prices. */
async function codesOf(
  { em, pricingModelId }: Session,
  lines: readonly Taxable[],
): Promise<Map<string, string>> {
  const all = lines.flatMap((line) => [line, ...(line.taxedAs ?? [])]);
  const ids = [...new Set(all.flatMap(({ priceId }) => priceId ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await statement<{ id: string; code: string }>(
    em,
    'tax codes of prices',
    `select price.id, coalesce(product.tax_code, meter.tax_code) as code from price
     left join product on product.id = price.product_id left join usage_meter meter on meter.id = price.usage_meter_id
     where price.id = any ($1) and price.pricing_model_id = $2
       and coalesce(product.tax_code, meter.tax_code) is not null`,
    [ids, pricingModelId],
  );
  return new Map(rows.map(({ id, code }) => [id, code]));
}
