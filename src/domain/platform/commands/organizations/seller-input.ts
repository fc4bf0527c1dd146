import { z } from 'zod';
import { taxIdsInput } from '#domain/invoicing/billing/tax-id-input.ts';
import { postalAddressInput, storedAddress } from '#domain/kernel/inputs/address-input.ts';
import { keptText, labelInput } from '#domain/kernel/inputs/inputs.ts';
import { readPicture } from '#domain/kernel/values/picture.ts';
import { logoLimits } from '#domain/model/platform/organization-logo.ts';

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

/** The check digits of an account number: the remainder modulo 97 of its letters as numbers is 1 (ISO 13616). */
const isIban = (iban: string) =>
  /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(iban) &&
  BigInt(
    `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => `${parseInt(letter, 36)}`),
  ) %
    97n ===
    1n;

const shortest = keptText(50).transform((text) => text.replace(/\s/g, '').toUpperCase());

/** A bank account for transfers. */
const bankAccountInput = z
  .object({
    holder: labelInput.nullish(),
    iban: shortest.refine(isIban, 'is not an IBAN, such as DE89 3704 0044 0532 0130 00'),
    bic: shortest
      .pipe(
        z
          .string()
          .regex(/^[A-Z]{6}[0-9A-Z]{2}([0-9A-Z]{3})?$/, 'is not a BIC of 8 or 11 characters'),
      )
      .nullish(),
  })
  .transform(({ holder, iban, bic }) => ({ holder: holder || null, iban, bic: bic ?? null }));

/** The seller as documents show it. Null removes each field. */
export const sellerFields = {
  legalName: labelInput.nullish(),
  address: postalAddressInput.transform(storedAddress).nullish(),
  taxIds: taxIdsInput.nullish(),
  logo: logoInput.nullish(),
  bankAccount: bankAccountInput.nullish(),
};
