import { Discount } from '#domain/discounts/discount.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';

/** The fields of an input that name a discount: one of them, or neither. */
export interface NamedDiscount {
  readonly discountCode?: string | null | undefined;
  readonly discountId?: string | null | undefined;
}

/** The field by which an input names its discount. */
export const discountField = ({ discountId }: NamedDiscount) =>
  discountId != null ? 'discountId' : 'discountCode';

/**
 * The discount that an input names; null if it names none. A code may be in lower case. Errors: BAD_REQUEST for both
 * fields, and for an unknown discount.
 */
export async function findDiscount(
  { em }: Session,
  named: NamedDiscount,
): Promise<Discount | null> {
  const { discountCode, discountId } = named;
  if (discountCode == null && discountId == null) return null;
  if (discountCode != null && discountId != null) {
    throw invalid('INVALID', 'discountCode', 'give either discountCode or discountId');
  }
  const code = discountCode?.trim().toUpperCase() ?? '';
  const found = await em.findOne(Discount, discountId != null ? { id: discountId } : { code });
  if (found) return found;
  const message =
    discountId != null
      ? `Unknown discount ${discountId}: give the id of a discount of this pricing model`
      : `Unknown code ${discountCode}: give the code of an active discount of this pricing model`;
  throw invalid('NOT_FOUND', discountField(named), message);
}
