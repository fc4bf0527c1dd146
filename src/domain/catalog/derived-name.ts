/** The largest number of characters of a name. */
const longest = 255;

/** A name that is composed of others. Characters that do not fit are cut before the ending. */
export function derivedName(text: string, ending = ''): string {
  if (text.length + ending.length <= longest) return text + ending;
  // The cut may split a character outside the basic plane.
  const cut = text.slice(0, longest - ending.length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut}…${ending}`;
}
