import { Marked, type Tokens } from 'marked';

/** A section of a guide, as its second-level heading starts it. */
interface Section {
  readonly id: string;
  readonly title: string;
}

/** A guide as HTML, with its title and the sections to navigate by. */
export interface RenderedGuide {
  readonly title: string;
  readonly sections: readonly Section[];
  readonly html: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text for use in HTML and in attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? character);

/** The anchor of a heading, as code hosts make it from the same Markdown. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** The names of languages above blocks. Readers copy all but output. */
const labels: Readonly<Record<string, string>> = {
  sh: 'Shell',
  console: 'Shell',
  sql: 'SQL',
  ts: 'TypeScript',
  js: 'JavaScript',
  graphql: 'GraphQL',
  text: 'Output',
};

/**
 * Renders a guide. Links between guides name files (`taxes.md#rules`), so that they also work where the files are
 * read; in the page they become addresses relative to it.
 */
export function renderGuide(markdown: string): RenderedGuide {
  const sections: Section[] = [];
  let title = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = anchorOf(text);
        const plain = text.replaceAll('`', '');
        if (depth === 1) title = plain;
        if (depth === 2) sections.push({ id, title: plain });
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        const link = `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(plain)}">#</a>`;
        return `<h${depth} id="${id}">${inner}${link}</h${depth}>\n`;
      },
      code({ text, lang = '' }: Tokens.Code) {
        const code = `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
        const label = `<span>${labels[lang] ?? lang}</span>`;
        if (lang === 'text') {
          return `<div class="code output"><div class="strip">${label}</div>${code}</div>\n`;
        }
        const copy = '<button type="button" class="copy" hidden>Copy</button>';
        return `<div class="code"><div class="strip">${label}${copy}</div>${code}</div>\n`;
      },
      codespan({ text }: Tokens.Codespan) {
        // Names of settings and fields are long, and narrow screens break them between words.
        const words = escapeHtml(text).replaceAll('_', '_<wbr>');
        return `<code>${words.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '<wbr>')}</code>`;
      },
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead>\n<tbody>${body}</tbody></table></div>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const address = href.replace(/^([a-z-]+)\.md(?=#|$)/, '$1');
        return `<a href="${escapeHtml(address)}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, sections, html };
}
