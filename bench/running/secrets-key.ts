import { randomBytes } from 'node:crypto';

/** The key of the stored secrets, which a benchmark and the service that it measures share. */
export const secretsKey = randomBytes(32).toString('base64');
