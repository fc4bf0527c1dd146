import { guideGroups, guideNames, readGuide } from '#rest/guides/index.ts';

const introduction = `# Tollgate

> Billing and subscriptions that a team runs itself: GraphQL, REST below \`/api/v1\`, and live updates over GraphQL subscriptions. Amounts are whole numbers in the minor units of a currency.

- [Description of REST in OpenAPI 3.1](/api/v1/openapi.json)
- [The same in OpenAPI 3.0](/api/v1/openapi-3.0.json)
- [All guides in one document](/llms-full.txt)
`;

/** The Markdown of a guide; undefined where there is none of that name. */
export const textOfGuide = async (name: string): Promise<string | undefined> =>
  guideNames.includes(name) ? readGuide(name) : undefined;

/** The guides by subject, each with its address and its first sentence, in the form of llmstxt.org. */
export async function listOfGuides(): Promise<string> {
  const groups = await Promise.all(
    guideGroups.map(async ({ title, guides }) => {
      const lines = await Promise.all(guides.map(lineOf));
      return `## ${title}\n\n${lines.join('\n')}\n`;
    }),
  );
  return [introduction, ...groups].join('\n');
}

async function lineOf(name: string): Promise<string> {
  const [heading = '', ...rest] = (await readGuide(name)).split('\n');
  const paragraph = rest.find((line) => /^[A-Z`]/.test(line)) ?? '';
  const [sentence = ''] = /^.*?[.:](?= |$)/.exec(paragraph) ?? [];
  const plain = sentence.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/:$/, '.');
  return `- [${heading.replace(/^# /, '')}](/docs/${name}.md): ${plain}`;
}

/** All guides, one after the other. */
export async function allGuides(): Promise<string> {
  const guides = await Promise.all(guideNames.map(readGuide));
  return [introduction, ...guides].join('\n');
}
