const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Codes with a name that are no countries. */
const others = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

/** The countries by their English names. */
export const countries: readonly (readonly [code: string, name: string])[] = letters
  .flatMap((first) => letters.map((second) => `${first}${second}`))
  .flatMap((code) => {
    const name = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code);
    // A former code names its successor.
    const isCurrent = new Intl.Locale(`und-${code}`).region === code;
    return name && isCurrent && !others.has(code) ? [[code, name] as const] : [];
  })
  .toSorted(([, one], [, other]) => one.localeCompare(other, 'en'));
