import { type GuideGroup, guideGroups, guideNames, readGuide } from '#rest/guides/index.ts';
import { escapeHtml, type RenderedGuide, renderGuide } from './render-guide.ts';

let library: Promise<ReadonlyMap<string, RenderedGuide>> | undefined;

/** All guides by name, read and rendered when the first one is requested. */
export function renderedGuides(): Promise<ReadonlyMap<string, RenderedGuide>> {
  library ??= Promise.all(
    guideNames.map(async (name) => [name, renderGuide(await readGuide(name))] as const),
  ).then((guides) => new Map(guides));
  return library;
}

/** The page at `/docs/<name>`. Its addresses are relative, so that it works below any path. Undefined: no such guide. */
export async function guidePage(name: string): Promise<string | undefined> {
  if (!guideNames.includes(name)) return undefined;
  const guides = await renderedGuides();
  const guide = guides.get(name);
  return guide && page(name, guide, guides);
}

type Guides = ReadonlyMap<string, RenderedGuide>;

const page = (name: string, { title, html }: RenderedGuide, guides: Guides) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)} · Tollgate</title>
    <link rel="stylesheet" href="guides.css">
    <link rel="stylesheet" href="guide-text.css">
    <link rel="icon" href="../favicon.svg" type="image/svg+xml">
    <script src="guides.js" defer></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to content</a>
    <header>
      <a class="brand" href="../">Tollgate</a>
      <nav aria-label="Documents">
        <a href="${guideNames[0]}" aria-current="true">Guides</a>
        <a href="../docs">API reference</a>
        <a href="../graphql">GraphQL</a>
      </nav>
    </header>
    <div class="columns">
      <details class="guides" open>
        <summary>All guides</summary>
        <nav aria-label="Guides">
${guideGroups.map((group) => groupOf(group, name, guides)).join('\n')}
        </nav>
      </details>
      <main id="content">
${html}
        <nav class="around" aria-label="Previous and next guide">
${neighbour(name, -1, 'Previous', guides)}
${neighbour(name, 1, 'Next', guides)}
        </nav>
      </main>
    </div>
  </body>
</html>
`;

function groupOf({ title, guides: names }: GuideGroup, current: string, guides: Guides): string {
  const items = names.map((name) => {
    const guide = guides.get(name);
    const mark = name === current ? ' aria-current="page"' : '';
    const link = `<a href="${name}"${mark}>${escapeHtml(guide?.title ?? name)}</a>`;
    return `<li>${link}${name === current && guide ? sectionsOf(guide) : ''}</li>`;
  });
  return `<h2 class="group">${title}</h2>\n<ul>${items.join('\n')}</ul>`;
}

const sectionsOf = ({ sections }: RenderedGuide) =>
  `<ul>${sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('')}</ul>`;

function neighbour(current: string, distance: number, label: string, guides: Guides): string {
  const name = guideNames[guideNames.indexOf(current) + distance];
  const title = name && guides.get(name)?.title;
  if (!title) return '<span></span>';
  return `<a class="neighbour" href="${name}"><small>${label}</small>${escapeHtml(title)}</a>`;
}
