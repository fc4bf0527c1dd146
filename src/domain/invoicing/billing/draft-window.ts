import { z } from 'zod';

/** Hours from the end of a period to the invoice for it, in which late usage counts for that invoice: at most 30 days. */
export const draftWindowInput = z.int().min(0).max(720);
