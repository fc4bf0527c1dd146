/** What one billing period has to do with a usage line. Amounts are exact decimals. */
export interface UsagePart {
  /** The empty text for what was used before the first period. */
  readonly billingPeriodId: string;
  /** Whether the line makes up here for what an earlier one billed too much, or too little. */
  readonly isCorrection: boolean;
  /** What was used, as the meter makes one number of the events; for a correction of those taken back. */
  readonly used: string;
  /** What of it credits covered; 0 for a correction. */
  readonly covered: string;
  /** What of it the line bills; below 0 for what it gives back. */
  readonly billed: string;
  readonly events: EventsDigest;
}

/** What a usage line is made of, written down when it is billed. */
export type UsageBreakdown = readonly UsagePart[];

/** Which events belong together, so that anybody who has them can check that they are the same. */
export interface EventsDigest {
  readonly count: number;
  readonly firstId: string | null;
  readonly lastId: string | null;
  /** Their amounts together, an exact decimal. */
  readonly sum: string;
  /** Of a line «id amount» for each, in the order of creation, ties by id: SHA-256 in hex. */
  readonly sha256: string;
  /** When the first and the last of them were recorded, by the clock of the database. */
  readonly recordedFrom: string | null;
  readonly recordedUntil: string | null;
}
