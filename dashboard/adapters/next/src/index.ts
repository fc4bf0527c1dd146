// biome-ignore-all lint/performance/noBarrelFile: the entry of a package names what it contains
export { type WebhookOptions, webhookHandler as webhookRoute } from '@tollgate/webhooks';
export { type CheckoutOptions, checkoutRoute } from './checkout.ts';
export type { CustomerOptions } from './customer.ts';
export { type PortalOptions, portalRoute } from './portal.ts';
export { type TokenOptions, tokenRoute } from './token.ts';
