import { type DocumentNode, print } from '@0no-co/graphql.web';
import { serviceUrl } from '../base.ts';

/** The text of an operation, without the fields that only a cache needs. */
export const graphqlText = (document: DocumentNode) =>
  print(document)
    .split('\n')
    .filter((line) => line.trim() !== '__typename')
    .join('\n');

/** The command that sends an operation; `KEY` is the secret key. */
export function curlText(document: DocumentNode, variables: unknown, dryRun = false): string {
  const body = JSON.stringify({
    query: graphqlText(document).replace(/\s+/g, ' '),
    ...(Object.keys((variables as object) ?? {}).length > 0 && { variables }),
    ...(dryRun && { extensions: { dryRun: true } }),
  });
  return [
    `curl -s ${new URL('graphql', serviceUrl).href} \\`,
    '  -H "Authorization: Bearer $KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${body.replaceAll("'", "'\\''")}'`,
  ].join('\n');
}
