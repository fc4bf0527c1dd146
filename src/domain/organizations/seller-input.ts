import { z } from 'zod';
import { postalAddressInput, storedAddress } from '#domain/kernel/address-input.ts';
import { labelInput } from '#domain/kernel/inputs.ts';
import { readPicture } from '#domain/kernel/picture.ts';
import { taxIdsInput } from '#domain/rules/invoicing/tax-id-input.ts';
import { logoLimits } from './organization-logo.ts';

const { pixels, bytes } = logoLimits;
const form = /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;
const wanted = `must be a data: URL of a PNG or JPEG with 8 bits a sample, of at most ${bytes} bytes and ${pixels} × ${pixels} pixels`;

/** The picture in a `data:` URL; undefined for anything that is not a small PNG or JPEG. */
export function readLogo(text: string) {
  const [, type, data = ''] = form.exec(text) ?? [];
  const content = Buffer.from(data, 'base64');
  const picture = content.length <= bytes ? readPicture(content, pixels) : undefined;
  return picture && picture.type === type ? { ...picture, content } : undefined;
}

/** A logo as a `data:` URL. The service decodes it and fetches no address. */
const logoInput = z
  .string()
  .max(Math.ceil(bytes / 3) * 4 + 30, wanted)
  .refine((text) => readLogo(text) !== undefined, wanted);

/** The seller as documents show it. Null removes each field. */
export const sellerFields = {
  legalName: labelInput.nullish(),
  address: postalAddressInput.transform(storedAddress).nullish(),
  taxIds: taxIdsInput.nullish(),
  logo: logoInput.nullish(),
};
