import { invalid } from './errors.ts';
import type { Session } from './session.ts';

/** Refuses a body that names a pricing model other than its key's: the key decides where rows go. */
export function samePricingModel(
  session: Session,
  record: string,
  pricingModelId: string | null | undefined,
) {
  if (pricingModelId != null && pricingModelId !== session.pricingModelId) {
    throw invalid(
      'MISMATCH',
      `${record}.pricingModelId`,
      `must be ${session.pricingModelId}, the pricing model of the API key; use a key of ${pricingModelId} to write there`,
    );
  }
}
