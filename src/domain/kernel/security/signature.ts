import { createHmac } from 'node:crypto';

/**
 * The signature of a content by Standard Webhooks: `v1,` and the HMAC-SHA-256 in base64. Its key is the decoded text of
 * the secret after `whsec_`.
 */
export const signatureOf = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(content)
    .digest('base64')}`;
