/** The share of one billing period in a usage line. Amounts are exact decimals. */
export interface UsagePart {
  /** The empty text for usage before the first period. */
  readonly billingPeriodId: string;
  /** Whether the line corrects an earlier one that billed too much, or too little. */
  readonly isCorrection: boolean;
  /** The usage, aggregated from the events by the meter; for a correction, from the voided ones. */
  readonly used: string;
  /** The usage that credits covered; 0 for a correction. */
  readonly covered: string;
  /** The usage that the line bills; below 0 for credited usage. */
  readonly billed: string;
  /** The amount for it; null in lines of earlier versions, whose amount was rounded once for the whole line. */
  readonly cost?: CostOfPart | null;
  readonly events: EventsDigest;
}

/** The amount of a part, in minor units, with what the period's usage had cost before. */
export interface CostOfPart {
  readonly amount: number;
  /** The usage of the period that earlier lines have billed at this price, less its corrections. */
  readonly before: AmountOfUsage;
  /** Corrections of the period that are not on this line: they wait for a payment, or for an invoice with room. */
  readonly rest: AmountOfUsage;
  /** For a price with a model: the usage of the whole period, from which its cost follows. */
  readonly measured?: MeasuredUsage;
}

/** The usage of a period at a price with a model. Amounts are exact decimals. */
export interface MeasuredUsage {
  readonly usage: string;
  /** The part of it that credits cover. */
  readonly covered: string;
  /** The number of its events; absent in lines of earlier versions. */
  readonly events?: number;
  /** For a matrix: the usage of its cells. */
  readonly cells?: Readonly<Record<string, string>>;
}

/** Usage, an exact decimal, and its amount in minor units. */
interface AmountOfUsage {
  readonly usage: string;
  readonly amount: number;
}

/** The parts of a usage line, recorded when it is billed. */
export type UsageBreakdown = readonly UsagePart[];

/**
 * A digest of a set of events, with which a client can check that its own events are the same. A line stores one of the
 * two digests: lines of earlier versions `sha256`, others `sumOfSha256`.
 */
export interface EventsDigest {
  readonly count: number;
  readonly firstId: string | null;
  readonly lastId: string | null;
  /** The sum of their amounts, an exact decimal. */
  readonly sum: string;
  /** SHA-256 in hex of a line «id amount» for each, in the order of creation, ties by id. */
  readonly sha256?: string;
  /** The sum modulo 2^256 of the SHA-256 digests of a text «id amount» for each, in hex. */
  readonly sumOfSha256?: string;
  /** When the first and the last of them were recorded, by the clock of the database. */
  readonly recordedFrom: string | null;
  readonly recordedUntil: string | null;
}
