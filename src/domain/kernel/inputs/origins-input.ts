import { z } from 'zod';
import { listInput } from './list-input.ts';

/** The largest number of origins of a credential. */
export const mostOrigins = 50;

/** An origin as browsers send it: scheme, host and port, without a path. */
const isOrigin = (text: string) =>
  /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;

const originInput = z
  .string()
  .max(255)
  .refine(isOrigin, 'must be an origin such as https://app.example.com, without a path');

/** The origins whose pages may use a credential, at least one. */
export const originsInput = listInput(originInput, mostOrigins, 1);

/** The usual origins of new credentials; an empty list allows all. */
export const usualOriginsInput = listInput(originInput, mostOrigins);
