import { randomBytes } from 'node:crypto';

/** A signing secret as Standard Webhooks write it: `whsec_` and 24 random bytes in base64. */
export const newSigningSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
