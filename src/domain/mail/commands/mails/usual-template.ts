import { isOptional, type MailKind } from '#domain/model/mail/mail-kinds.ts';
import { escapeMarkup } from './fill-in.ts';
import { nearestTexts } from './languages.ts';
import type { KindTexts } from './texts-en.ts';

/** The source of a mail: subject and plain text with variables, and the body in MJML with variables. */
export interface TemplateSource {
  readonly subject: string;
  readonly mjml: string;
  readonly text: string;
}

type Action = KindTexts['action'];

const link = ({ label, link }: Action) =>
  `<a href="{{${link}}}" style="color: #1f4fd8">${escapeMarkup(label)}</a>`;

const withAddress = ({ label, link }: Action) => `${label}:\n{{${link}}}`;

const paragraph = (content: string) => `        <mj-text>${content}</mj-text>`;

/** The template of a kind where the organization has none: the texts of a language in a plain layout. */
export function usualTemplate(kind: MailKind, language: string): TemplateSource {
  const { hello, footer, switchOff, kinds } = nearestTexts(language);
  const { subject, title, lines, action, further } = kinds[kind];
  const body = [hello, ...lines].map((line) => paragraph(escapeMarkup(line)));
  const below: Action[] = isOptional(kind) ? [{ label: switchOff, link: 'links.mailSwitch' }] : [];
  const links = further.map((each) => paragraph(link(each)));
  const mjml = `<mjml lang="${language}">
  <mj-head>
    <mj-title>${escapeMarkup(subject)}</mj-title>
    <mj-attributes>
      <mj-all font-family="Helvetica, Arial, sans-serif" />
      <mj-text font-size="15px" line-height="1.5" color="#1c2230" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f4f5f7">
    <mj-section padding="24px 0 0">
      <mj-column>
        <mj-text font-weight="bold" color="#5b6475">{{seller.name}}</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" border-radius="8px">
      <mj-column>
        <mj-text font-size="20px" font-weight="bold">${escapeMarkup(title)}</mj-text>
${body.join('\n')}
        <mj-button href="{{${action.link}}}" background-color="#1f4fd8" border-radius="6px" align="left">${escapeMarkup(action.label)}</mj-button>
${links.join('\n')}
      </mj-column>
    </mj-section>
    <mj-section>
      <mj-column>
        <mj-text font-size="12px" color="#5b6475">${[escapeMarkup(footer), ...below.map(link)].join('<br />')}</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;
  const addresses = [action, ...further].map(withAddress);
  const text = [hello, ...lines, ...addresses, footer, ...below.map(withAddress)].join('\n\n');
  return { subject, mjml, text };
}
