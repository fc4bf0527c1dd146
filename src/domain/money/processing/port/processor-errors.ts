/**
 * The processor could not be reached, or its answer was lost: it is unknown whether it has acted. It never counts as a
 * decline. The caller repeats the request with the same key, or looks the object up.
 */
export class ProcessorUnreachable extends Error {
  override name = 'ProcessorUnreachable';
  /** The least pause before a repetition that the processor asks for, in milliseconds. */
  readonly retryAfter: number | null;
  /** Whether the processor repeats its stored answer to an earlier request with this key, which has ended. */
  readonly isReplayed: boolean;

  constructor(
    message = 'The payment processor could not be reached',
    options: ErrorOptions & { readonly retryAfter?: number; readonly isReplayed?: boolean } = {},
  ) {
    super(message, options);
    this.retryAfter = options.retryAfter ?? null;
    this.isReplayed = options.isReplayed ?? false;
  }
}

/** Whether an error is the stored answer to an earlier request with the same key. */
export const isReplayed = (error: unknown): boolean =>
  error instanceof ProcessorUnreachable && error.isReplayed;

/**
 * The processor refuses the service itself, for example its key. The request was not executed. The operator repairs the
 * settings, and the caller repeats the request then; the customer is not dunned.
 */
export class ProcessorMisconfigured extends Error {
  override name = 'ProcessorMisconfigured';
}
