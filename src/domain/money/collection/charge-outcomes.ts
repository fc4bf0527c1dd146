import { channel } from 'node:diagnostics_channel';

/** The outcome of a charge, as it is recorded. */
export interface ChargeOutcome {
  /** The status of the payment: final, or still open. */
  readonly status: string;
  readonly livemode: boolean;
}

/** Gets a `ChargeOutcome` for each outcome that this process records. The metrics count them. */
export const chargeOutcomes = channel('tollgate.charge-outcomes');
