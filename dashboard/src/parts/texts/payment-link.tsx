import { Money } from './money.tsx';
import { PageLink } from './small-texts.tsx';

interface Props {
  readonly payment: { readonly id: string; readonly amount: number };
  readonly currency: string;
}

/** The amount of a payment, which leads to its page. */
export const PaymentLink = ({ payment: { id, amount }, currency }: Props) => (
  <PageLink to={`/payments/${id}`}>
    <Money amount={amount} currency={currency} />
  </PageLink>
);
