import type { OrganizationLogo } from '#domain/model/platform/organization-logo.ts';
import type { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { TaxId } from '../catalog/tax-ids.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { BankAccount } from '../shared/bank-accounts.ts';
import { PostalAddress } from '../shared/postal-addresses.ts';

const LogoType = builder.enumType('LogoType', {
  description: 'The format of a logo.',
  values: described(['png', 'jpeg'] as const, { png: 'A PNG.', jpeg: 'A JPEG.' }),
});

export const Logo = builder.objectRef<OrganizationLogo>('Logo').implement({
  description: 'The logo of a seller. The service stores the picture and fetches no address.',
  fields: (t) => ({
    type: t.expose('type', { type: LogoType, description: 'The format.' }),
    width: t.exposeInt('width', { description: 'The width, in pixels.' }),
    height: t.exposeInt('height', { description: 'The height, in pixels.' }),
    dataUrl: t.exposeString('dataUrl', { description: 'The picture as a `data:` URL.' }),
  }),
});

/** The logo of a seller, if it has one. */
export const logoOf = async ({ logo }: OrganizationSettings): Promise<OrganizationLogo | null> =>
  (await logo?.loadOrFail()) ?? null;

export const Seller = builder.objectRef<OrganizationSettings>('Seller').implement({
  description: 'The seller as new invoices show it.',
  fields: (t) => ({
    name: t.string({
      description: 'The legal name, or the display name where there is none.',
      resolve: ({ legalName, name }) => legalName ?? name,
    }),
    address: t.expose('address', {
      type: PostalAddress,
      nullable: true,
      description: 'The postal address.',
    }),
    taxIds: t.field({
      type: [TaxId],
      description: 'The numbers at tax authorities; at most 5.',
      resolve: ({ taxIds }) => [...taxIds],
    }),
    logo: t.field({ type: Logo, nullable: true, description: 'The logo.', resolve: logoOf }),
    bankAccount: t.expose('bankAccount', {
      type: BankAccount,
      nullable: true,
      description: 'The bank account for transfers; null where there is none.',
    }),
  }),
});
