import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** The epoch as a part of the signed text of a link. Links from before the first epoch have no such part. */
export const epochPart = (epoch: number) => (epoch === 0 ? '' : `.e${epoch.toString(36)}`);

/**
 * Ends all signed links of a customer to its portal and to the switches of its mails: the next epoch begins. The
 * statement locks the customer, so it precedes the locks on rows of the customer. It counts as no change of the
 * customer: it makes no event, and no editor of the customer has to read it again.
 */
export const endLinks = ({ em }: Session, { id, pricingModelId }: Customer) =>
  statement(
    em,
    'end links of customer',
    'update customer set link_epoch = link_epoch + 1 where id = $1 and pricing_model_id = $2',
    [id, pricingModelId],
  );
