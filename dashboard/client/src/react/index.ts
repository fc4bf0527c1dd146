// biome-ignore-all lint/performance/noBarrelFile: the entry of a package names what it contains
'use client';

export { CustomerPortal, portalAddress } from './customer-portal.tsx';
export {
  type Entitlement,
  type UsageOptions,
  useBalance,
  useCapacity,
  useEntitlement,
  useUsage,
} from './hooks.ts';
export { TollgateProvider } from './provider.tsx';
export type { Live } from './use-store.ts';
