import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant } from '#domain/kernel/columns.ts';
import { newId } from '#domain/kernel/ids.ts';

const logoTypes = ['png', 'jpeg'] as const;

/** The longest side of a logo, in pixels, and its largest size. */
export const logoLimits = { pixels: 1_000, bytes: 100_000 } as const;

const OrganizationLogoSchema = defineEntity({
  name: 'OrganizationLogo',
  uniques: [
    {
      name: 'organization_logo_digest_unique',
      properties: ['organizationId', 'livemode', 'digest'],
    },
  ],
  checks: checksOf({
    organization_logo_size:
      'width >= 1 and width <= 1000 and height >= 1 and height <= 1000 and octet_length(content) <= 100000',
  }),
  properties: {
    id: p
      .string()
      .primary()
      .onCreate(() => newId('logo')),
    organizationId: p.string(),
    livemode: p.boolean(),
    createdAt: instant(),
    /** The SHA-256 of the content, in hexadecimal. */
    digest: p.string().length(64),
    type: p.enum(logoTypes),
    width: p.integer(),
    height: p.integer(),
    content: p.blob(),
  },
});

/** A picture of the seller. A row never changes, so an issued invoice keeps the logo that it was issued with. */
export class OrganizationLogo extends OrganizationLogoSchema.class {
  /** The picture as a `data:` URL. */
  get dataUrl(): Opt<string> {
    return `data:image/${this.type};base64,${Buffer.from(this.content).toString('base64')}`;
  }
}
OrganizationLogoSchema.setClass(OrganizationLogo);
