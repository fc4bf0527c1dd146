import type { PrepaidOfCustomerQuery } from './prepaid.generated.ts';

type Prepaid = NonNullable<PrepaidOfCustomerQuery['customer']>;
/** Credit that a customer has bought or been given. */
export type PrepaidCredit = Prepaid['prepaidCredits']['nodes'][number];
/** A rule that buys credit for a customer. */
export type PrepaidTopUp = Prepaid['prepaidTopUps']['nodes'][number];
