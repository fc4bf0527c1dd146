import { newSecretsKey } from '#domain/kernel/secrets.ts';

/** The key of the stored secrets, which a benchmark and the service that it measures share. */
export const secretsKey = newSecretsKey();
