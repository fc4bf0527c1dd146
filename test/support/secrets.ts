import { secretsKeyFrom, useSecretsKeys } from '#domain/kernel/security/secrets.ts';

/** The SECRETS_KEY of every test and of every process that a test starts. */
export const testSecretsKey = Buffer.from('a key of thirty-two bytes, fake!').toString('base64');

/** The first key of the template's organization, which every clone of the template has. It is fake. */
export const templateKey = 'sk_test_template_template_template_template';

useTestSecretsKey();

/** Seals and opens stored secrets of this process with the key of the tests. */
export function useTestSecretsKey() {
  const key = secretsKeyFrom(testSecretsKey);
  if (!key) throw new Error('The key of the tests is no key');
  useSecretsKeys([key]);
}
