/** Which numbers a field takes. */
export interface NumberRule {
  /** The most decimal places; 0 for whole numbers. */
  readonly decimals: number;
  /** The least and the largest number, which may be taken, too. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Whether it is an amount of money in major units. */
  readonly isAmount?: boolean | undefined;
}

/** The meaning of a text. */
export interface Reading {
  /** The exact decimal, such as `-12.5`; empty for an empty text and with a problem. */
  readonly number: string;
  /** Why the text is no number of the field, as a sentence. */
  readonly problem?: string;
}

const mostDigits = 15;
const grouped = /^[1-9]\d{0,2}([,.'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*$/;
const withFraction = /^(.*)([.,])(\d*)$/s;

/**
 * Reads a number as people write it: with a point or a comma before the decimals, marks between groups of three digits,
 * and a sign in front. No character is left out: any other text is a problem. So is `1.234` where it may mean 1234 as
 * well as a fraction; a comma before three digits is a mark of groups where the field has fewer decimals.
 */
export function readNumber(typed: string, rule: NumberRule): Reading {
  const text = typed.trim();
  if (text === '') return { number: '' };
  const body = text.replace(/^[+\-−]/, '');
  const sign = /^[-−]/.test(text) ? '-' : '';
  const problem = (sentence: string): Reading => ({ number: '', problem: sentence });
  const [, before = '', mark = '', fraction = ''] = withFraction.exec(body) ?? [];
  const whole = wholeOf(body);
  const front = mark && before + fraction !== '' ? wholeOf(before || '0', mark) : undefined;
  const group = whole === undefined ? undefined : decimalOf(sign, whole);
  const decimal = front === undefined ? undefined : decimalOf(sign, front, fraction);
  const isClear = group === undefined || decimal === undefined;
  const isFine = rule.decimals >= fraction.length;
  if (!isClear && (isFine || mark === '.')) {
    // Only one of the two meanings may be in the range.
    if (isFine && rangeProblem(group, rule) && !rangeProblem(decimal, rule)) {
      return { number: decimal };
    }
    const plain = `Write ${whole} without the mark`;
    if (isFine) return problem(`${plain} for thousands, or ${front}.${fraction}0 for decimals`);
    return problem(rule.decimals === 0 ? plain : `${plain}, or at most ${placesText(rule)}`);
  }
  const number = group ?? decimal;
  if (number === undefined || (number.split('.')[1] ?? '').length > rule.decimals) {
    return problem(exampleOf(rule));
  }
  if (number.replace(/^-?0?\.?0*/, '').replace('.', '').length > mostDigits) {
    return problem(`Write at most ${mostDigits} digits`);
  }
  const outside = rangeProblem(number, rule);
  return outside ? problem(outside) : { number };
}

/** The digits of a whole number, with or without groups; undefined for any other text. */
function wholeOf(text: string, decimalMark?: string): string | undefined {
  if (/^\d+$/.test(text)) return text;
  const mark = grouped.exec(text)?.[1];
  return mark === undefined || mark === decimalMark ? undefined : text.replaceAll(mark, '');
}

function decimalOf(sign: string, whole: string, fraction = ''): string {
  const places = fraction.replace(/0+$/, '');
  const number = whole.replace(/^0+(?=\d)/, '') + (places && `.${places}`);
  return number === '0' ? number : sign + number;
}

const placesText = ({ decimals }: NumberRule) =>
  `${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`;

function exampleOf(rule: NumberRule): string {
  if (rule.decimals === 0) {
    return rule.isAmount ? 'Write an amount without decimals' : 'Write a whole number';
  }
  const example = rule.isAmount ? 'an amount such as 12.50' : 'a number such as 12.5';
  return `Write ${example}, with at most ${placesText(rule)}`;
}

function rangeProblem(number: string, { decimals, min, max }: NumberRule): string | undefined {
  const isBelow = (a: string, b: string) => unitsOf(a, decimals) < unitsOf(b, decimals);
  if (min !== undefined && isBelow(number, min.toFixed(decimals))) {
    return `It must be at least ${min}`;
  }
  if (max !== undefined && isBelow(max.toFixed(decimals), number)) {
    return `It must be at most ${max}`;
  }
  return undefined;
}

function unitsOf(number: string, places: number): bigint {
  const [whole = '', fraction = ''] = number.split('.');
  return BigInt(whole + fraction.padEnd(places, '0').slice(0, places));
}

/** A decimal of major units in minor units of a currency with these digits. */
export const minorOf = (number: string, digits: number): number => Number(unitsOf(number, digits));

/** Minor units as a decimal of major units. */
export function majorOf(minor: number | bigint, digits: number): string {
  const text = String(minor)
    .replace('-', '')
    .padStart(digits + 1, '0');
  const place = text.length - digits;
  return decimalOf(minor < 0 ? '-' : '', text.slice(0, place), text.slice(place));
}

/** A number as a decimal, never with an exponent; empty for none. */
export const decimalText = (value: number | undefined): string =>
  value?.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }) ?? '';

/** A decimal as its field shows it, so that it reads as the same number. */
export function shownNumber(number: string, rule: NumberRule): string {
  if (number === '') return '';
  const [whole = '', fraction = ''] = number.split('.');
  // Three decimals could be a group, and a group could be three decimals.
  const hasGroups = rule.decimals < 3;
  const places = rule.isAmount && hasGroups ? fraction.padEnd(rule.decimals, '0') : fraction;
  const groups = hasGroups ? whole.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, ',') : whole;
  const text = places ? `${groups}.${places}` : groups;
  const longer = `${text}0`;
  const isRead = (shown: string) => readNumber(shown, rule).number === number;
  return places && !isRead(text) && isRead(longer) ? longer : text;
}

/** The number that an arrow key leads to: one more or one less, in the range. */
export function steppedNumber(number: string, step: 1 | -1, rule: NumberRule): string {
  const { decimals, min, max } = rule;
  const one = 10n ** BigInt(decimals);
  const next = number === '' ? 0n : unitsOf(number, decimals) + BigInt(step) * one;
  const least = min === undefined ? next : unitsOf(min.toFixed(decimals), decimals);
  const most = max === undefined ? next : unitsOf(max.toFixed(decimals), decimals);
  const units = next < least ? least : next > most ? most : next;
  return majorOf(units, decimals);
}
