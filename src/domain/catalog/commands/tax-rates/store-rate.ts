import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { TaxRate } from '#domain/model/catalog/tax-rate.ts';

/**
 * Writes a tax rate. Errors: BAD_REQUEST for a second rate of the same tax for the same place, products and customers at
 * the same time, which the database refuses.
 */
export async function storeRate({ em }: Session, rate: TaxRate): Promise<TaxRate> {
  try {
    await em.flush();
    return rate;
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'tax_rate_no_overlap') throw error;
    const message =
      'overlaps with another rate of this tax for the same place, products and customers: end that one first';
    throw invalid('TAKEN', 'taxRate.validFrom', message, { cause: error });
  }
}
