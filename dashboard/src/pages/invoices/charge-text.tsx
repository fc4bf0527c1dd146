import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { Remark } from '../../parts/texts/small-texts.tsx';

interface Props {
  readonly charge: {
    readonly paymentMethod: string;
    readonly chargeDate: number;
    readonly refundedAmount: number;
    readonly failureMessage?: string | null;
  };
  readonly currency: string;
  /** The invoices that it pays, in words. */
  readonly pays?: string;
}

/** How and when a charge was made, what of it was refunded, and why it failed. */
export function ChargeText({ charge, currency, pays }: Props) {
  const { paymentMethod, chargeDate, refundedAmount, failureMessage } = charge;
  return (
    <Remark>
      {wordsOf(paymentMethod)}, <Instant at={chargeDate} />
      {pays && `, ${pays}`}
      {refundedAmount > 0 && (
        <>
          , <Money amount={refundedAmount} currency={currency} /> refunded
        </>
      )}
      {failureMessage && `. ${failureMessage}.`}
    </Remark>
  );
}
