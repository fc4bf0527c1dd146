import { createHmac, timingSafeEqual } from 'node:crypto';
import { open, seal } from '#domain/kernel/security/secrets.ts';
import type { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';

/** The kinds of documents; the last three are e-invoices of an invoice or a credit note. */
export const documentKinds = [
  'invoice',
  'receipt',
  'credit_note',
  'ubl',
  'cii',
  'facturx',
] as const;
export type DocumentKind = (typeof documentKinds)[number];

const hourMilliseconds = 3_600_000;
const goodForHours = 24;

type Row = Pick<OrganizationSettings, 'id' | 'documentSecret'>;

const context = ({ id }: Pick<Row, 'id'>) => `organization_settings ${id}`;

/** Encrypts a secret for the links of a settings row. */
export const sealDocumentSecret = (row: Pick<Row, 'id'>, secret: string) =>
  seal(secret, context(row));

/** The secret that signs the links of an organization and mode. */
export const documentSecretOf = (row: Row) => open(row.documentSecret, context(row));

interface Link {
  readonly kind: DocumentKind;
  /** The invoice, also of a receipt, or the credit note. */
  readonly id: string;
  /** When it expires, in milliseconds since 1970. */
  readonly expires: number;
}

/**
 * A signed link that gives access to a document for at least some hours, usually 24; the same link for an hour.
 */
export function documentLink(
  origin: string,
  secret: string,
  { id }: { readonly id: string },
  kind: DocumentKind,
  now: Date,
  hours = goodForHours,
): string {
  const expires = (Math.ceil(now.getTime() / hourMilliseconds) + hours) * hourMilliseconds;
  const signature = sign(secret, { kind, id, expires }).toString('base64url');
  return `${origin}/documents/${kind}/${id}?expires=${expires}&signature=${signature}`;
}

/** Whether a link has a valid signature and has not expired. */
export function isValidLink(secret: string, link: Link, signature: string, now: Date): boolean {
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(secret, link);
  return (
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    link.expires > now.getTime()
  );
}

const sign = (secret: string, { kind, id, expires }: Link) =>
  createHmac('sha256', secret).update(`${kind} ${id} ${expires}`).digest();
