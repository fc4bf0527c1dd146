import type { Session } from '#domain/kernel/session.ts';
import type { MailKind } from '#domain/model/mail/mail-kinds.ts';
import { MailTemplate } from '#domain/model/mail/mail-template.ts';
import { compileMjml } from './compile-mjml.ts';
import { baseOf, textsOf } from './languages.ts';
import { type TemplateSource, usualTemplate } from './usual-template.ts';

/** A template with the HTML of its body, which still has variables. */
export interface CompiledTemplate extends TemplateSource {
  readonly html: string;
  readonly language: string;
  /** The template of the organization; null for the texts of the service. */
  readonly own: MailTemplate | null;
}

/**
 * The template of a kind for a customer: in the wanted language, else in that of the organization, else in English. In each
 * language the template of the organization precedes the texts of the service.
 */
export async function findTemplate(
  { em, organizationId, livemode }: Session,
  kind: MailKind,
  languages: readonly string[],
): Promise<CompiledTemplate> {
  const own = await em.find(MailTemplate, { organizationId, livemode, kind });
  for (const language of languages.flatMap((tag) => [tag, baseOf(tag)])) {
    const template = own.find((each) => each.language === language);
    if (template) return compiled(template);
    if (textsOf(language)) return usual(kind, language);
  }
  return usual(kind, 'en');
}

function compiled(own: MailTemplate): CompiledTemplate {
  const { kind, language, subject, mjml, html } = own;
  return {
    language,
    subject,
    mjml,
    html,
    text: own.text ?? usualTemplate(kind, language).text,
    own,
  };
}

const known = new Map<string, CompiledTemplate>();

/** The texts of the service, which are compiled once. */
function usual(kind: MailKind, language: string): CompiledTemplate {
  const key = `${kind} ${language}`;
  const found = known.get(key);
  if (found) return found;
  const source = usualTemplate(kind, language);
  const result = compileMjml(source.mjml);
  if (!('html' in result)) throw new Error(`The usual template of ${key}: ${result.reason}`);
  const made = { ...source, language, html: result.html, own: null };
  known.set(key, made);
  return made;
}
