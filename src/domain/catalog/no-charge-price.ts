import { slugInput } from '#domain/kernel/inputs/inputs.ts';

const suffix = '_no_charge';
const label = ' - No Charge';
const longest = 255;

/** A meter's slug leaves room for the slug of its fallback price. */
export const usageMeterSlugInput = slugInput.max(longest - suffix.length);

/** The slug of a meter's fallback price. */
export const noChargeSlug = (slug: string) => `${slug}${suffix}`;

/** The name of a meter's fallback price; it is for display only, so a long one is cut. */
export const noChargeName = (name: string) => `${name.slice(0, longest - label.length)}${label}`;
