/** A file that states what a catalog charges: actions on a test clock, and the records that they must lead to. */
export interface Scenario {
  readonly name: string;
  /** The default currency of its organization: ISO 4217, upper case. */
  readonly currency: string;
  /** Where its test clock begins: ISO 8601. */
  readonly clock: string;
  /** Settings of its organization, as `updateOrganization` takes them. */
  readonly organization: Values | undefined;
  /** A catalog document. */
  readonly catalog: Values | undefined;
  readonly steps: readonly Step[];
}

export type Values = Readonly<Record<string, unknown>>;

interface At {
  /** The line in the file, from 1. */
  readonly line: number;
}

/** Moves the test clock: ISO 8601. */
export interface Advance extends At {
  readonly kind: 'advance';
  readonly to: string;
}

/** One mutation of the graph, by its name and arguments. */
export interface Action extends At {
  readonly kind: 'action';
  readonly mutation: string;
  readonly args: Values;
  /** The name by which later steps refer to its result. */
  readonly as: string | undefined;
  /** The refusal that must be the answer; a success when absent. */
  readonly fails: Refusal | undefined;
}

export interface Refusal {
  /** The code of the error or of one of its issues. */
  readonly code?: string | undefined;
  /** A part of the message of the error or of one of its issues. */
  readonly message?: string | undefined;
}

/** Imports an export of another system. Its customers live on the clock of the scenario. */
export interface Import extends At {
  readonly kind: 'import';
  readonly from: 'stripe' | 'csv';
  /** The folder of the export, relative to the file. */
  readonly folder: string;
  /** The lines of the report; without them, nothing may be left out. */
  readonly report: readonly string[] | undefined;
}

/** Names one record that a query finds, so that later steps can refer to it. */
export interface Find extends At {
  readonly kind: 'find';
  readonly expected: Expectation;
  readonly as: string;
}

/** Records that must be there now. */
interface Expect extends At {
  readonly kind: 'expect';
  readonly expected: readonly Expectation[];
}

/** One query of the graph and the answer that it must have. */
export interface Expectation extends At {
  /** A field of Query. */
  readonly field: string;
  readonly args: Values;
  /** The object, or all records of a list in their order; only the named fields are compared. */
  readonly is: unknown;
  /** Records that must be among those of the list. */
  readonly include: readonly unknown[] | undefined;
  /** The number of records of the list. */
  readonly count: number | undefined;
}

export type Step = Advance | Action | Import | Find | Expect;
