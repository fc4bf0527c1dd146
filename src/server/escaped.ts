/** Escapes a text for HTML and for attributes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Escapes an address for an attribute; anything but http and https is dropped. */
export const escapedAddress = (url: string | null | undefined): string | null =>
  url && /^https?:/i.test(url) ? escaped(url) : null;
