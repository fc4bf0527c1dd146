/** The kinds of failures, which decide whether and when a charge is tried again. */
export const failureKinds = [
  /** The same payment method may succeed later. */
  'soft',
  /** The payment method will never succeed. */
  'hard',
  /** The data of the payment method are wrong or outdated; it may succeed once they change. */
  'card_data',
  /** The customer has to confirm the payment. */
  'authentication',
  /** The request itself is refused: the operator corrects it, and the customer is not dunned. */
  'configuration',
] as const;

export type FailureKind = (typeof failureKinds)[number];
