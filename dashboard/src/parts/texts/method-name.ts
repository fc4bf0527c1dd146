import { wordsOf } from './formats.ts';

interface Method {
  readonly type: string;
  readonly paymentMethodData?: unknown;
}

/** The name of a payment method, such as "Visa •••• 4242". */
export function methodName({ type, paymentMethodData }: Method): string {
  const { brand, last4 } = (paymentMethodData ?? {}) as { brand?: string; last4?: string };
  return [wordsOf(brand ?? type), last4 && `•••• ${last4}`].filter(Boolean).join(' ');
}
