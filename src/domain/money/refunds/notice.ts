import type { ProcessorName } from '#domain/money/processing/processor-of.ts';

/** An object at a processor that has changed. */
export interface NoticedObject extends ProcessorName {
  readonly reference: string;
  /** The payment that the processor names in the metadata of the object. */
  readonly paymentId?: string | null;
}

/**
 * The outcome of a notice: `applied`; `unknown` for an object that may be stored soon, so that the notice is repeated;
 * `ignored` for an object of another account.
 */
export type Applied = 'applied' | 'unknown' | 'ignored';
