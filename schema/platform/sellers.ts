import type { OrganizationLogo } from '#domain/model/platform/organization-logo.ts';
import type { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { TaxId } from '../catalog/tax-ids.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { int, nullable, of, text } from '../engine/fields.ts';
import { object } from '../engine/types.ts';
import { BankAccount } from '../shared/bank-accounts.ts';
import { PostalAddress } from '../shared/postal-addresses.ts';

const LogoType = builder.enumType('LogoType', {
  description: 'The format of a logo.',
  values: described(['png', 'jpeg'] as const, { png: 'A PNG.', jpeg: 'A JPEG.' }),
});

export const Logo = object<OrganizationLogo>('Logo')({
  description: 'The logo of a seller. The service stores the picture and fetches no address.',
  fields: () => ({
    type: of(LogoType, 'The format.'),
    width: int('The width, in pixels.'),
    height: int('The height, in pixels.'),
    dataUrl: text('The picture as a `data:` URL.'),
  }),
});

/** The logo of a seller, if it has one. */
export const logoOf = async ({ logo }: OrganizationSettings): Promise<OrganizationLogo | null> =>
  (await logo?.loadOrFail()) ?? null;

export const Seller = object<OrganizationSettings>('Seller')({
  description: 'The seller as new invoices show it.',
  fields: (t) => ({
    name: t.string({
      description: 'The legal name, or the display name where there is none.',
      resolve: ({ legalName, name }) => legalName ?? name,
    }),
    address: nullable.of(PostalAddress, 'The postal address.'),
    taxIds: of([TaxId], 'The numbers at tax authorities; at most 5.'),
    logo: t.field({ type: Logo, nullable: true, description: 'The logo.', resolve: logoOf }),
    bankAccount: nullable.of(
      BankAccount,
      'The bank account for transfers; null where there is none.',
    ),
  }),
});
