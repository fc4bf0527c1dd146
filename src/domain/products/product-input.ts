import { z } from 'zod';
import { nameInput, slugInput, textInput, webAddressInput } from '../inputs.ts';

/** What a product consists of (specification, Product). */
export const productFields = {
  name: nameInput,
  slug: slugInput,
  description: textInput.nullish(),
  imageURL: webAddressInput.or(z.literal('')).nullish(),
  singularQuantityLabel: z.string().max(255).nullish(),
  pluralQuantityLabel: z.string().max(255).nullish(),
  active: z.boolean().nullish(),
  default: z.boolean().nullish(),
};

export const featureIdsInput = z.array(z.string()).max(1_000).nullish();
