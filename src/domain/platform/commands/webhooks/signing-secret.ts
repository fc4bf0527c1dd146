import { randomBytes } from 'node:crypto';

/** A signing secret in the form of Standard Webhooks: `whsec_` and 24 random bytes in base64. */
export const newSigningSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
