import type { Chance } from './chance.ts';

/** Companies of many places and scripts; some names are long, and some are written from right to left. */
const companies = [
  'Northwind Traders',
  'Acme Robotics',
  'Bluebird Analytics',
  'Café Lumière',
  'Grüne Wiese GmbH',
  'Łódź Software',
  'Østergaard & Sønner',
  'Ñandú Logística',
  'Αθηνά Δεδομένα',
  'Сибирь Софт',
  'شركة النور للتقنية',
  'חברת המגדל',
  '東京データ株式会社',
  '北京云计算有限公司',
  '서울테크',
  'บริษัท กรุงเทพ',
  'Maple & Birch',
  'Quantum Bakery',
  'Harbor Freight Lines',
  'Silver Lake Studios',
  'Perpetual Motion Works',
  'Juniper Health',
  'Tidal Energy Cooperative of the Outer Islands and Adjacent Waters',
  'Redwood Legal',
  'Kestrel Aviation',
  'Copperfield Books',
  'Orchard Street Finance',
  'Lantern Media',
  'Summit Climbing Gear',
  'Paper Crane Press',
  'Nightjar Security',
  'Ember Ceramics',
] as const;

const places = ['Berlin', 'Lagos', 'Lisboa', 'Osaka', 'Austin', 'Pune', 'Lyon', 'Cork', 'Quito'];

/** The name and the address of customer number `n`. */
export function companyOf(n: number, chance: Chance) {
  const base = companies[n % companies.length] ?? 'Company';
  const place = n < companies.length ? '' : ` ${chance.of(places)}`;
  const round = Math.floor(n / companies.length);
  const name = `${base}${place}${round > 1 ? ` ${round}` : ''}`;
  return { name, email: `billing+${n}@example.com` };
}

/** The names of people who have seats. */
export const people = [
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
];
