import { checkVAT, countries } from 'jsvat-next';
import type { Chance } from './chance.ts';

/** Companies of many places and scripts; some names are long, and some are written from right to left. */
const companies = [
  ['Northwind Traders', 'US', 'Austin'],
  ['Grüne Wiese GmbH', 'DE', 'Berlin'],
  ['Café Lumière', 'FR', 'Lyon'],
  ['東京データ株式会社', 'JP', '東京'],
  ['شركة النور للتقنية', 'EG', 'القاهرة'],
  ['Tidal Energy Cooperative of the Outer Islands and Adjacent Waters', 'GB', 'Stornoway'],
  ['Łódź Software', 'PL', 'Łódź'],
  ['Acme Robotics', 'US', 'Denver'],
  ['Østergaard & Sønner', 'DK', 'Aarhus'],
  ['Lagos Ledger', 'NG', 'Lagos'],
  ['חברת המגדל', 'IL', 'חיפה'],
  ['Ñandú Logística', 'AR', 'Rosario'],
  ['北京云计算有限公司', 'CN', '北京'],
  ['Αθηνά Δεδομένα', 'GR', 'Αθήνα'],
  ['Bluebird Analytics', 'IE', 'Cork'],
  ['서울테크', 'KR', '서울'],
  ['Maple & Birch', 'CA', 'Montréal'],
  ['Київ Софт', 'UA', 'Київ'],
  ['บริษัท กรุงเทพ', 'TH', 'กรุงเทพฯ'],
  ['Rechnungswesen-Digitalisierungsgesellschaft Oberösterreich', 'AT', 'Linz'],
  ['Quantum Bakery', 'PT', 'Lisboa'],
  ['Pune Pixel Works', 'IN', 'Pune'],
  ['Silver Lake Studios', 'US', 'Los Angeles'],
  ['شرکت آسمان آبی', 'IR', 'تهران'],
  ['Juniper Health', 'NZ', 'Dunedin'],
  ['Perpetual Motion Works', 'NL', 'Delft'],
  ['Redwood Legal', 'US', 'Portland'],
  ['Andes Climbing', 'EC', 'Quito'],
  ['Kestrel Aviation', 'ZA', 'Durban'],
  ['Copperfield Books', 'GB', 'Bath'],
  ['Orchard Street Finance', 'SG', 'Singapore'],
  ['Lantern Media', 'ES', 'Valencia'],
  ['Nightjar Security', 'SE', 'Malmö'],
  ['Ember Ceramics', 'MX', 'Oaxaca'],
  ['Paper Crane Press', 'JP', '京都'],
  ['Harbor Freight Lines', 'NO', 'Bergen'],
  ['Saffron & Sons', 'IN', 'Chennai'],
  ['Summit Gear', 'CH', 'Zürich'],
  ['Ipê Amarelo', 'BR', 'Curitiba'],
] as const;

const kinds = ['Labs', 'Group', 'Partners', 'Holding', 'Works', 'Systems', 'Collective'] as const;
const streets = ['Station Road', 'Market Square', 'High Street', 'Harbour Lane', 'Mill Hill'];

const industries = ['software', 'retail', 'logistics', 'health', 'media', 'education'] as const;

/** The first number from `nine` on whose check digits match in a form. */
function checked(nine: string, form: (nine: string) => string): string {
  for (let number = Number(nine); ; number = number === 999_999_999 ? 100_000_000 : number + 1) {
    const value = form(String(number));
    if (checkVAT(value, countries).isValid) return value;
  }
}

/** A number of a company for tax authorities, in the form of its country; undefined for most countries. */
const taxIds: Readonly<Record<string, (nine: string) => { type: string; value: string }>> = {
  DE: (nine) => ({ type: 'eu_vat', value: checked(nine, (nine) => `DE${nine}`) }),
  FR: (nine) => ({ type: 'eu_vat', value: checked(nine, (nine) => `FR40${nine}`) }),
  PL: (nine) => ({ type: 'eu_vat', value: checked(nine, (nine) => `PL1${nine}`) }),
  AT: (nine) => ({ type: 'eu_vat', value: checked(nine, (nine) => `ATU${nine.slice(1)}`) }),
  GB: (nine) => ({ type: 'gb_vat', value: checked(nine, (nine) => `GB${nine}`) }),
  NO: (nine) => ({ type: 'no_vat', value: `${nine}MVA` }),
  US: (nine) => ({ type: 'us_ein', value: nine }),
  JP: (nine) => ({ type: 'jp_trn', value: `T1234${nine}` }),
};

/** The name, the address and the tax id of customer number `n`. */
export function companyOf(n: number, chance: Chance) {
  const [base, country, city] = companies[n % companies.length] ?? companies[0];
  const round = Math.floor(n / companies.length);
  const kind = round === 0 ? '' : ` ${kinds[(round - 1) % kinds.length]}`;
  const generation = round > kinds.length ? ` ${Math.ceil(round / kinds.length)}` : '';
  const name = `${base}${kind}${generation}`;
  const line1 = `${chance.from(1, 180)} ${chance.of(streets)}`;
  const address = { line1, city, postal_code: String(chance.from(10_000, 99_999)), country };
  const taxId = taxIds[country]?.(String(chance.from(100_000_000, 999_999_999)));
  return {
    name,
    email: `billing@company-${n}.example`,
    billingAddress: { name, email: `invoices@company-${n}.example`, address },
    ...(taxId && { taxIds: [taxId] }),
    metadata: { demo: true, industry: chance.of(industries) },
  };
}

/** The names of people who have seats. */
export const holders = [
  'ada',
  'bjarne',
  'chidi',
  'dana',
  'emeka',
  'fatima',
  'grace',
  'hiroshi',
  'ines',
  'jun',
  'kofi',
  'lucía',
  'mei',
  'noor',
  'olga',
  'pavel',
  'quinn',
  'rania',
  'søren',
  'tomás',
] as const;
