import { signerFor } from './signing-key.ts';

const signer = signerFor('sandbox-confirmation');

/**
 * The name of the page where a customer confirms a charge of the sandbox, in its address. References of the charge
 * contain its key, and readers of payments see these, so the key alone opens nothing.
 */
export const confirmationName = (key: string) => `${key}.${signer.sign(key)}`;

/** The key of the charge in such a name; undefined where no key of this process has signed it. */
export function keyOfConfirmation(name: string): string | undefined {
  const [, key = '', signature = ''] = /^(.+)\.([\w-]{43})$/.exec(name) ?? [];
  return key && signer.isSigned(key, signature) ? key : undefined;
}
