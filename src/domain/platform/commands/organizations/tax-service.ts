import { z } from 'zod';
import { sealTaxSecret } from '#domain/catalog/taxing/tax-secret.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { webAddressInput } from '#domain/kernel/inputs/inputs.ts';
import {
  type AddressRule,
  checkAddress,
  isBareAddress,
} from '#domain/kernel/security/receiving-address.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';

/** The tax service of an organization. Null removes each field. */
export const taxServiceFields = {
  taxServiceUrl: webAddressInput
    .refine(
      (url) => isBareAddress(url),
      'must not contain a user name or a password: verify the signature of requests instead',
    )
    .nullish(),
  taxServiceSecret: z
    .string()
    .regex(
      /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
      'must be whsec_ and 24 to 64 random bytes in base64, such as the output of: echo whsec_$(openssl rand -base64 32)',
    )
    .nullish(),
};

interface Changes {
  readonly taxServiceUrl?: string | null | undefined;
  readonly taxServiceSecret?: string | null | undefined;
}

/**
 * Changes the tax service in locked settings. Errors: BAD_REQUEST for an address that is not public, and for the engine
 * `service` without an address and a secret.
 */
export function changeTaxService(
  session: Session,
  settings: OrganizationSettings,
  { taxServiceUrl: url, taxServiceSecret: secret }: Changes,
  rule: AddressRule,
) {
  if (url !== undefined && url !== settings.taxServiceUrl) {
    checkAddress(session, 'organization.taxServiceUrl', url, rule);
    settings.taxServiceUrl = url;
  }
  if (secret !== undefined) {
    settings.taxServiceSecret = secret && sealTaxSecret(settings.id, secret);
  }
  if (settings.taxEngine !== 'service') return;
  for (const name of ['taxServiceUrl', 'taxServiceSecret'] as const) {
    if (settings[name]) continue;
    throw invalid(
      'REQUIRED',
      `organization.${name}`,
      'is required where taxEngine is service: choose another engine first to remove it',
    );
  }
}
