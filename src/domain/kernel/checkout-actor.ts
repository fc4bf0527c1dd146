import type { Actor } from './unit-cause.ts';

/** The customer at the page of a checkout session, who is present and can confirm a payment. */
export const checkoutActor: Actor = { type: 'system', id: 'checkout' };
