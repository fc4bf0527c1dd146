import { invalid } from '#domain/kernel/errors.ts';
import { keptLine } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Discount } from '#domain/model/catalog/discount.ts';

/** The fields of an input that name a discount: one of them, or neither. */
export interface NamedDiscount {
  readonly discountCode?: string | null | undefined;
  readonly discountId?: string | null | undefined;
}

/** The field by which an input names its discount. */
export const discountField = ({ discountId }: NamedDiscount) =>
  discountId != null ? 'discountId' : 'discountCode';

/** A text that can be a code: the database cannot compare any other one. */
const codeText = keptLine(255);

/**
 * The discount with a code, which may be in lower case and between spaces; null for an unknown one, and for a text that no
 * code can be.
 */
export async function discountByCode(em: Session['em'], text: string): Promise<Discount | null> {
  const code = codeText.safeParse(text.trim().toUpperCase());
  return code.success ? em.findOne(Discount, { code: code.data }) : null;
}

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
  const found =
    discountId != null
      ? await em.findOne(Discount, discountId)
      : await discountByCode(em, discountCode ?? '');
  if (found) return found;
  const message =
    discountId != null
      ? `Unknown discount ${discountId}: give the id of a discount of this pricing model`
      : `Unknown code ${discountCode}: give the code of an active discount of this pricing model`;
  throw invalid('NOT_FOUND', discountField(named), message);
}
