import type { z } from 'zod';
import type { Environment } from './environment.ts';

type Settings = z.output<typeof Environment>;

/** Whether settings do not fit together, and the message that names them and the next step. */
const conflicts: readonly (readonly [(settings: Settings) => boolean, string])[] = [
  [
    (data) => isProduction(data) && !data.DATABASE_URL && data.EMBEDDED_POSTGRES !== 'true',
    'DATABASE_URL must be set with NODE_ENV=production, or EMBEDDED_POSTGRES=true to keep the data in DATA_DIR',
  ],
  [
    (data) => isSet(data.DATABASE_OWNER_URL) && !data.DATABASE_URL,
    'DATABASE_OWNER_URL needs DATABASE_URL, with the role of the service',
  ],
  [
    (data) => isSet(data.DATABASE_DIRECT_URL) && !data.DATABASE_URL,
    'DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler',
  ],
  [
    (data) => isSet(data.DATABASE_REPLICA_URLS) && !data.DATABASE_URL,
    'DATABASE_REPLICA_URLS needs DATABASE_URL, the address of the primary',
  ],
  [
    (data) => isProduction(data) && isSet(data.DATABASE_URL) && !data.SECRETS_KEY,
    'SECRETS_KEY must be set with NODE_ENV=production and DATABASE_URL: tollgate secrets new prints a new key',
  ],
  [
    (data) => isProduction(data) && !data.PUBLIC_URL,
    'PUBLIC_URL must be set with NODE_ENV=production: links to PDFs begin with it, such as https://billing.example.com',
  ],
  [
    (data) => data.TRUSTED_DOCUMENTS_ONLY !== 'none' && !data.TRUSTED_DOCUMENTS,
    'TRUSTED_DOCUMENTS_ONLY needs TRUSTED_DOCUMENTS, a file or a folder',
  ],
  [
    ({ SMTP_URL, MAIL_FROM }) => isSet(SMTP_URL) !== isSet(MAIL_FROM),
    'SMTP_URL and MAIL_FROM belong together: the mail server, and the address of the sender such as billing@example.com',
  ],
  [
    ({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }) =>
      new Set([OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET].map(isSet)).size > 1,
    'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all of them or none',
  ],
];

const isSet = (value: unknown) => Boolean(value);
const isProduction = ({ NODE_ENV }: Settings) => NODE_ENV === 'production';

/** The first conflict of the settings; undefined where they fit together. */
export const conflictOf = (settings: Settings): string | undefined =>
  conflicts.find(([isConflict]) => isConflict(settings))?.[1];
