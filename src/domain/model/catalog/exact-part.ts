import { type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import type { Pricing } from './pricing.ts';

/** The terms from which an amount is computed. */
export interface PricedTerms {
  /** Minor units for each `perUnit`, or for each package; 0 where other fields state the prices. */
  readonly unitPrice: number;
  /** The usage that makes one unit; 1 for items. */
  readonly perUnit: number;
  /** Null or absent for a price per unit. */
  readonly pricing?: Pricing | null;
}

/** The kinds of steps of an amount. */
export const pricePartKinds = [
  'units',
  'packages',
  'fee',
  'free',
  'covered',
  'minimum',
  'maximum',
  'discount',
  'trial',
  'billed_before',
  'not_billed_yet',
] as const;

/** The quantity of an item, or the usage of a period at one price. */
export interface Measured {
  readonly usage: Units;
  /** The part of it that credits cover. */
  readonly covered: Units;
  /** The number of events of the usage, each of which costs a fixed fee; 1 when absent. */
  readonly events?: number | undefined;
  /** For a matrix: the usage by its cells, as `cellKey` names them. */
  readonly cells?: ReadonlyMap<string, Units> | undefined;
}

/** One step of an amount, before it is rounded. */
export interface ExactPart {
  readonly kind: (typeof pricePartKinds)[number];
  /** Usage or units, started packages, or events that cost a fee each. */
  readonly quantity: Units;
  /** The number of its tier, from 1; null for other steps. */
  readonly tier: number | null;
  /** For a matrix: the values of its cell; empty for other combinations. Null for other steps. */
  readonly values: readonly string[] | null;
  /** Minor units for each unit or package, an exact decimal; the hundredth part of a percentage. Null for an amount. */
  readonly unitPrice: string | null;
  /** Minor units times `exactScale`. */
  readonly amount: bigint;
}

/** The number of 10^-9 in 1. */
export const one = unitsOf('1');
/** The number by which exact amounts are multiplied, so that they are whole numbers. */
export const exactScale = (perUnit: number): bigint => one * one * BigInt(perUnit);

/** The exact amount of some usage at a price for each unit. */
export const atUnitPrice = (usage: Units, unitPrice: string): bigint => usage * unitsOf(unitPrice);
