import type { EntityManager } from '@mikro-orm/postgresql';
import { openPricingModel } from '#domain/catalog/open-pricing-model.ts';
import { newId } from '#domain/kernel/ids.ts';
import { enterPricingModel, openSession } from '#domain/kernel/session.ts';
import { mailKinds } from '#domain/model/mail/mail-kinds.ts';
import { MailSettings } from '#domain/model/mail/mail-settings.ts';
import { Organization } from '#domain/model/platform/organization.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { newCredential } from '#domain/platform/access/credential.ts';
import { issueApiKey } from '#domain/platform/access/issue-api-key.ts';
import { newDocumentSecret } from './document-secret.ts';

/** The seller as documents of a new organization show it. */
export type Seller = Partial<Pick<OrganizationSettings, 'legalName' | 'address' | 'taxIds'>>;

interface Founding {
  readonly now: Date;
  readonly name: string;
  /** The default currency: ISO 4217, upper case. */
  readonly currency: string;
  /** The seller in both modes; the display name alone without it. */
  readonly seller?: Seller | undefined;
  /** The value of the first key; a random one is made without it. */
  readonly credential?: string | undefined;
}

/**
 * Creates an organization with a default pricing model in test mode, its free product with a monthly price, and one
 * secret test key. Only the result contains the key's text.
 */
export function foundOrganization(em: EntityManager, founding: Founding) {
  return em.transactional(async (em) => {
    const session = await found(em, founding);
    const credential =
      founding.credential ?? newCredential('secret', false, session.organizationId);
    return issueApiKey(session, credential, {
      name: 'Default',
      type: 'secret',
      pricingModelId: session.pricingModelId,
      expiresAt: null,
    });
  });
}

/** The same without a key, where its text would have no safe place: the command line creates one on request. */
export const foundWithoutKey = (em: EntityManager, founding: Omit<Founding, 'credential'>) =>
  em.transactional((em) => found(em, founding));

/** Returns a session in the new pricing model. */
async function found(
  em: EntityManager,
  { now, name, currency, seller }: Omit<Founding, 'credential'>,
) {
  const organizationId = newId('org');
  await em.insert(Organization, { id: organizationId, createdAt: now, currency });
  await em.insertMany(
    OrganizationSettings,
    [false, true].map((livemode) => {
      const id = newId('org_settings');
      const documentSecret = newDocumentSecret({ id });
      const base = { id, organizationId, livemode, createdAt: now, updatedAt: now, version: 1 };
      return { ...base, ...seller, name, documentSecret };
    }),
  );
  await em.insertMany(
    MailSettings,
    [false, true].map((livemode) => {
      const base = { organizationId, livemode, createdAt: now, updatedAt: now, version: 1 };
      // Live mode sends mails only after an owner has switched kinds on; test mode sends none.
      return { ...base, id: newId('mail_settings'), kinds: livemode ? [] : [...mailKinds] };
    }),
  );
  const scope = {
    organizationId,
    livemode: false,
    keyType: 'secret',
    pricingModelId: '',
    now,
  } as const;
  const session = openSession(em, scope);
  const free = { name: 'Default', isDefault: true, intervalUnit: 'month' } as const;
  const pricingModel = await openPricingModel(session, free);
  return enterPricingModel(session, pricingModel.id);
}
