import { newSecretsKey, secretsKeyFrom, useSecretsKeys } from '#domain/kernel/secrets.ts';

/** Lets this process write secrets, as the service does, for benchmarks that call the domain themselves. */
export function useFreshSecrets() {
  const key = secretsKeyFrom(newSecretsKey());
  if (key) useSecretsKeys([key]);
}
