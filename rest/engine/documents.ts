import type { Findings } from './reader.ts';

/**
 * How much of a body is a document that people write: all of it, or what is below the first level of its objects.
 */
export type DocumentPart = 'all' | 'nested';

const notText = 'String cannot represent a non string value: ';

/** Advises to quote each text that a document has without quotes. */
export function adviseQuotes({ issues }: Findings) {
  for (const [index, issue] of issues.entries()) {
    if (!issue.message.startsWith(notText) || issue.message.endsWith(quoted)) continue;
    issues[index] = { ...issue, message: `${issue.message}${quoted}` };
  }
}

const quoted = ': put the text in quotes';
