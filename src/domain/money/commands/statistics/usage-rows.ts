/** The usage of one series in one bucket. */
export interface UsageRow {
  readonly usageMeterId: string;
  /** The start of the bucket in milliseconds since 1970. */
  readonly start: string;
  readonly value: string | null;
  readonly isOthers: boolean;
  readonly usage: string;
  readonly events: number;
}

/** The meters whose usage is read, and the subscriptions on which it was recorded. */
export interface UsageScope {
  readonly usageMeterIds: readonly string[];
  readonly subscription: string | null;
  readonly customer: string | null;
}
