const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Codes with a name that are no countries. */
const others = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

type Countries = readonly (readonly [code: string, name: string])[];

const known = new Map<string, Countries>();

/** The countries by their names in a language. */
export function countriesIn(locale: string): Countries {
  const countries = known.get(locale) ?? namesIn(locale);
  known.set(locale, countries);
  return countries;
}

const namesIn = (locale: string): Countries => {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => `${first}${second}`))
    .flatMap((code) => {
      const name = names.of(code);
      // A former code names its successor.
      const isCurrent = new Intl.Locale(`und-${code}`).region === code;
      return name && isCurrent && !others.has(code) ? [[code, name] as const] : [];
    })
    .toSorted(([, one], [, other]) => one.localeCompare(other, locale));
};
