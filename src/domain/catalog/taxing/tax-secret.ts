import { open, seal } from '#domain/kernel/security/secrets.ts';

const context = (settingsId: string) => `organization_settings ${settingsId}`;

/** Encrypts the secret of a tax service for storage in the settings of an organization. */
export const sealTaxSecret = (settingsId: string, secret: string) =>
  seal(secret, context(settingsId));

/** Decrypts the stored secret of a tax service. */
export const openTaxSecret = (settingsId: string, stored: string) =>
  open(stored, context(settingsId));
