import { comingId } from '#domain/kernel/ids.ts';

/**
 * The id of the billing period that will follow one. It is known before that period opens: usage of a time after the
 * running period, and usage in a pause, counts for it.
 */
export const comingPeriodId = (lastId: string) => comingId('billing_period', lastId);
