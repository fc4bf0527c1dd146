import { createFeature } from '#domain/features/create-feature.ts';
import { createProduct } from '#domain/products/create-product.ts';
import { createResource } from '#domain/resources/create-resource.ts';
import { openSession, type Session } from '#domain/session.ts';
import { createUsageMeter } from '#domain/usage-meters/create-usage-meter.ts';

let count = 0;
const slug = (kind: string) => `${kind}-${++count}`;

/** Each factory works on an EntityManager of its own, so that a test reads what the database holds. */
const fresh = ({ em, apiKeyId, ...scope }: Session) => openSession(em, scope, apiKeyId);

export const aUsageMeter = (session: Session, usageMeter: { slug?: string; name?: string } = {}) =>
  createUsageMeter(fresh(session), {
    usageMeter: { name: 'API calls', slug: slug('meter'), ...usageMeter },
  });

export const aResource = (session: Session, resource: { slug?: string; name?: string } = {}) =>
  createResource(fresh(session), { resource: { name: 'Seats', slug: slug('resource'), ...resource } });

export const aToggle = (session: Session, feature: { slug?: string; active?: boolean } = {}) =>
  createFeature(fresh(session), {
    feature: { type: 'toggle', name: 'SSO', description: 'Sign on', slug: slug('toggle'), ...feature },
  });

export const aProduct = (
  session: Session,
  {
    featureIds,
    price,
    ...product
  }: { slug?: string; name?: string; featureIds?: string[]; price?: { unitPrice?: number; slug?: string } } = {},
) =>
  createProduct(fresh(session), {
    product: { name: 'Pro', slug: slug('product'), ...product },
    price: { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month', ...price },
    featureIds,
  });
