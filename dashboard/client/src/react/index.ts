// biome-ignore-all lint/performance/noBarrelFile: the entry of a package names what it contains
'use client';

export { type Checkout, CheckoutButton, type WantedPrice } from './checkout-button.tsx';
export { CustomerPortal, portalAddress } from './customer-portal.tsx';
export {
  type Entitlement,
  type UsageOptions,
  useBalance,
  useCapacity,
  useEntitlement,
  useUsage,
} from './hooks.ts';
export { Paywall } from './paywall.tsx';
export { PricingTable } from './pricing-table.tsx';
export { TollgateProvider } from './provider.tsx';
export { Usage } from './usage.tsx';
export {
  type CatalogPrice,
  type CatalogProduct,
  useCatalog,
  useCurrentPrices,
} from './use-catalog.ts';
export type { Live } from './use-store.ts';
