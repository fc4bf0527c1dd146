import { type DocumentKind, documentKinds } from '#domain/platform/access/document-link.ts';
import type { Variables } from './fill-in.ts';

/** Stands in a link in place of its secret. Such a link opens nothing. `hide_links` of the database writes it, too. */
const hidden = 'hidden';

/** A document that a mail links to. */
export interface LinkedDocument {
  readonly kind: DocumentKind;
  /** The id of an invoice or a consolidated invoice. */
  readonly id: string;
}

/** The paths of hidden links, which are in stored mails in place of working ones. They need no escaping. */
export const hiddenPaths = {
  portal: `/portal/open/${hidden}`,
  mailSwitch: `/mail-switch/${hidden}`,
  document: ({ kind, id }: LinkedDocument) => `/documents/${kind}/${id}?signature=${hidden}`,
} as const;

const imitation =
  /\/portal\/(?:open|embed)\/[\w.-]+|\/mail-switch\/[\w.-]+|\/documents\/\w+\/\w+\?/g;

/**
 * Values of variables without anything that looks like a link of the service, other than in `links`. A name could else
 * lead the recipient to another site, with a link that works there.
 */
export const withoutImitations = ({ links = {}, ...others }: Variables): Variables => {
  const cleaned = Object.entries(others).map(([object, fields]) => {
    const values = Object.entries(fields).map(([field, value]) => [
      field,
      value.replace(imitation, ''),
    ]);
    return [object, Object.fromEntries(values)];
  });
  return { ...Object.fromEntries(cleaned), links };
};

const address = /(?:\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.)\S+|\S+@\S+|\b[\w-]+(?:\.[\w-]+)+[/?#:]\S*/gi;

/**
 * The name of a person or a company for a greeting: one line without addresses. The name may be entered by another
 * person than the one that gets the mail. A domain in a name, such as Example.com, stays; no program makes a link of it.
 */
export const withoutLinks = (name: string): string =>
  name
    .replace(address, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, '.\u2060')
    .trim();

const link =
  /\/portal\/open\/hidden(?![\w-])|\/mail-switch\/hidden(?![\w-])|\/documents\/(\w+)\/(\w+)\?signature=hidden(?![\w-])/g;

/** The documents whose hidden links are in a text. */
export function hiddenDocumentsIn(text: string): LinkedDocument[] {
  const found = [...text.matchAll(link)].map(([, kind = '', id = '']) => ({ kind, id }));
  const isKnown = (one: (typeof found)[number]): one is LinkedDocument =>
    documentKinds.includes(one.kind as DocumentKind);
  return found.filter(isKnown);
}

/**
 * A text in which hidden links work: `paths` has the working path of each; one without stays hidden. `written` writes a
 * path as the text requires it, so for HTML it escapes it.
 */
export const revealLinks = (
  text: string,
  paths: ReadonlyMap<string, string>,
  written: (path: string) => string = (path) => path,
): string => text.replace(link, (path) => written(paths.get(path) ?? path));

/** The working path in a link, such as `/portal/open/x` of `https://billing.example.com/portal/open/x`. */
export const pathIn = (link: string) =>
  link.slice(link.search(/\/portal\/open\/|\/mail-switch\/|\/documents\//));
