import { z } from 'zod';
import {
  labelInput,
  nameInput,
  slugInput,
  taxCodeInput,
  textInput,
  webAddressInput,
} from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';

/** The fields of a product. */
export const productFields = {
  name: nameInput,
  slug: slugInput,
  description: textInput.nullish(),
  imageURL: webAddressInput.or(z.literal('')).nullish(),
  singularQuantityLabel: labelInput.nullish(),
  pluralQuantityLabel: labelInput.nullish(),
  taxCode: taxCodeInput.nullish(),
  active: z.boolean().nullish(),
  default: z.boolean().nullish(),
  addOn: z.boolean().nullish(),
};

export const featureIdsInput = listInput(z.string(), 1_000).nullish();
