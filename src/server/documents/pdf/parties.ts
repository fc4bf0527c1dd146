import {
  type CustomerParty,
  ibanText,
  type Parties,
  type StoredAddress,
  type TaxId,
} from '#domain/model/platform/parties.ts';
import type { Content } from './content.ts';
import { type Pdf, page } from './fonts.ts';

const labels: Readonly<Record<TaxId['type'], string>> = {
  eu_vat: 'VAT',
  gb_vat: 'VAT',
  ch_vat: 'VAT',
  no_vat: 'VAT',
  us_ein: 'EIN',
  ca_gst_hst: 'GST/HST',
  au_abn: 'ABN',
  nz_gst: 'GST',
  in_gst: 'GSTIN',
  jp_trn: 'TRN',
  sg_gst: 'GST',
  za_vat: 'VAT',
  br_cnpj: 'CNPJ',
  mx_rfc: 'RFC',
  other: 'Tax id',
};

const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });
/** Countries that write the postal code after the state. */
const stateLast = new Set(['US', 'CA', 'AU', 'IN']);

/** The lines of an address, without empty ones. */
function linesOf(address: StoredAddress | null): string[] {
  if (!address) return [];
  const { name, line1, line2, city, state, postal_code: code, country } = address;
  const joined = (separator: string, ...parts: readonly (string | null)[]) =>
    parts.filter(Boolean).join(separator);
  const places = stateLast.has(country ?? '')
    ? [joined(' ', joined(', ', city, state), code)]
    : [joined(' ', code, city), state];
  const all = [name, line1, line2, ...places, country && countries.of(country)];
  return all.filter((line): line is string => Boolean(line));
}

const taxLines = (ids: readonly TaxId[]) =>
  ids.map(({ type, value }) => `${labels[type]} ${value}`);

function customerLines({ name, email, address, taxIds }: CustomerParty): string[] {
  const contact = [address?.firstName, address?.lastName].filter(Boolean).join(' ');
  const billed = address?.name ?? name;
  const shown = [billed, contact, ...linesOf(address?.address ?? null), address?.phone];
  const lines = [...shown, address?.email ?? email, ...taxLines(taxIds)];
  return lines.filter((line): line is string => Boolean(line));
}

/** The lines of both parties. */
export function partyLines({ seller, customer }: Parties): Pick<Content, 'seller' | 'customer'> {
  const sellerLines = [seller.name, ...linesOf(seller.address), ...taxLines(seller.taxIds)];
  return { seller: sellerLines, customer: customerLines(customer) };
}

/** How the customer transfers the amount of an open document that was sent, where the seller names an account. */
export function transferLines({ seller }: Parties, reference: string): string[] {
  const { bankAccount } = seller;
  if (!bankAccount) return [];
  return [
    'Payment by transfer',
    `Recipient ${bankAccount.holder ?? seller.name}`,
    `IBAN ${ibanText(bankAccount)}`,
    ...(bankAccount.bic ? [`BIC ${bankAccount.bic}`] : []),
    `Reference ${reference}`,
  ];
}

/** The left edge of the customer, in points. */
const customerLeft = 300;

/** Both parties side by side. A line has three rows at most, so that the parties fit on a page. */
export function writeParties(pdf: Pdf, { seller, customer }: Content) {
  const top = pdf.y + 18;
  const left = writeParty(pdf, 'From', seller, page.left, top);
  const right = writeParty(pdf, 'To', customer, customerLeft, top);
  pdf.x = page.left;
  pdf.y = Math.max(left, right);
  pdf.moveDown(2);
}

function writeParty(pdf: Pdf, title: string, lines: readonly string[], left: number, top: number) {
  const width = 225;
  pdf.fillColor('black').font('Bold').fontSize(10).text(title, left, top, { width });
  pdf.font('Regular');
  const height = pdf.heightOfString('A\nA\nA') + 1;
  for (const line of lines) pdf.text(line, { width, height, ellipsis: true });
  return pdf.y;
}

/** The picture of the seller at the right of the head. */
export function writeLogo(pdf: Pdf, logo: Uint8Array | null) {
  if (!logo) return;
  const fit: [number, number] = [150, 48];
  pdf.image(Buffer.from(logo), page.right - fit[0], page.top - 14, {
    fit,
    align: 'right',
    valign: 'center',
  });
}
