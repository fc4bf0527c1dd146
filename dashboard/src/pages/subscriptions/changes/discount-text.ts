import { dayText } from '../../../parts/texts/days.ts';
import { moneyText, numberText } from '../../../parts/texts/formats.ts';

interface Redemption {
  readonly name: string;
  readonly code: string;
  readonly amount: number;
  readonly amountType: 'fixed' | 'percent';
  readonly currency: string | null;
  readonly remainingPayments: number | null;
  readonly endsAt: number | null;
  readonly releasedAt: number | null;
}

/** A redeemed discount in words, such as "Spring (SPRING): 20 %, for 2 more payments". */
export function discountText(redemption: Redemption, currency: string): string {
  const { name, code, amount, amountType, remainingPayments, endsAt, releasedAt } = redemption;
  const value =
    amountType === 'percent'
      ? `${numberText(amount)} %`
      : moneyText(amount, redemption.currency ?? currency);
  const rest =
    remainingPayments === null
      ? endsAt === null
        ? ''
        : `, for periods that begin before ${dayText(endsAt)}`
      : `, for ${remainingPayments} more ${remainingPayments === 1 ? 'payment' : 'payments'}`;
  return `${name} (${code}): ${value}${releasedAt === null ? rest : ', released'}`;
}
