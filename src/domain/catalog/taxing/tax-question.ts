import { createHash } from 'node:crypto';
import type { Session } from '#domain/kernel/session.ts';
import { spread } from '#domain/model/catalog/tax.ts';
import { statement } from '#engines/lockstep/statement.ts';
import type { Taxable, TaxRequest } from './tax-engine.ts';

/** A question for a tax service. */
export interface TaxQuestion {
  /** Equal questions have equal ids. */
  readonly id: string;
  /** Equal for questions that differ by amounts alone. */
  readonly form: string;
  readonly body: string;
  /** The amounts in the order of the lines in the body. */
  readonly asked: readonly Pick<Taxable, 'amount' | 'priceId'>[];
  /** The sum of the lines that are spread over the others. */
  readonly reductions: number;
}

/**
 * The question about some lines. It has the date, and neither a finer instant nor a random id, so that a repeated
 * transaction asks the same. A line without a price is asked in parts, by the items in proportion to which it is taxed.
 */
export async function questionOf(session: Session, request: TaxRequest): Promise<TaxQuestion> {
  const { customer, settings, lines } = request;
  const shown = lines.flatMap(partsOf);
  const asked = shown.length > 0 ? shown : [{ amount: 0 }];
  const reductions = lines.reduce((sum, { amount, isSpread }) => sum + (isSpread ? amount : 0), 0);
  const codes = await productsOf(session, asked);
  const content = {
    type: 'tax.quote',
    livemode: session.livemode,
    date: session.now.toISOString().slice(0, 10),
    currency: request.currency ?? null,
    taxInclusive: settings.taxInclusive,
    seller: { address: settings.address ?? null, taxIds: settings.taxIds },
    customer: {
      externalId: customer.externalId ?? null,
      address: customer.billingAddress?.address ?? null,
      taxIds: customer.taxIds,
    },
    lines: asked.map(({ amount, priceId }, line) => {
      const { productId = null, taxCode = null } = codes.get(priceId ?? '') ?? {};
      return { line, amount, priceId: priceId ?? null, productId, taxCode };
    }),
    reductions,
  };
  const body = JSON.stringify(content);
  const unpriced = content.lines.map(({ amount: _, ...line }) => line);
  const form = JSON.stringify({ ...content, lines: unpriced, reductions: null });
  const [id, formId] = [body, form].map((text) => digestOf(settings.taxServiceUrl, text));
  return { id: `tax_${id}`, form: formId ?? '', body, asked, reductions };
}

const digestOf = (...content: unknown[]) =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);

/** The parts of a line that have rates of their own; none for one that is spread over the others. */
function partsOf(line: Taxable): Pick<Taxable, 'amount' | 'priceId'>[] {
  if (line.isSpread) return [];
  if (!line.taxedAs?.length) return [{ amount: line.amount, priceId: line.priceId }];
  const weights = line.taxedAs.map(({ amount }) => Math.max(0, amount));
  const amounts = spread(line.amount, weights);
  return line.taxedAs.map(({ priceId }, at) => ({ amount: amounts[at] ?? 0, priceId }));
}

/** The place of each line in the question about them; null for one that is spread, or asked in parts. */
export function placesOf(lines: readonly Taxable[]): (number | null)[] {
  let next = 0;
  return lines.map((line) => {
    const place = next;
    next += line.isSpread ? 0 : line.taxedAs?.length || 1;
    return line.isSpread || line.taxedAs?.length ? null : place;
  });
}

interface Sold {
  readonly id: string;
  readonly productId: string | null;
  readonly taxCode: string | null;
}

/** The products and tax codes of prices. */
async function productsOf(
  { em, pricingModelId }: Session,
  lines: TaxQuestion['asked'],
): Promise<Map<string, Sold>> {
  const ids = [...new Set(lines.flatMap(({ priceId }) => priceId ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await statement<Sold>(
    em,
    'products of prices',
    `select price.id, price.product_id as "productId", coalesce(product.tax_code, meter.tax_code) as "taxCode"
     from price left join product on product.id = price.product_id
     left join usage_meter meter on meter.id = price.usage_meter_id where price.id = any ($1)
       and price.pricing_model_id = $2`,
    [ids, pricingModelId],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
