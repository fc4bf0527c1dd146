import { costLimitPlugin } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import type { Plugin } from 'graphql-yoga';

/** How large a document from outside may be. REST's own documents are fixed and are not measured. */
export const limits = { depth: 12, aliases: 30, tokens: 2_000, cost: 10_000 } as const;

/** Refuses documents that ask for more than one caller should get at once, before they are executed. */
export const useLimits = (): Plugin[] =>
  [
    maxTokensPlugin({ n: limits.tokens }),
    maxDepthPlugin({ n: limits.depth }),
    maxAliasesPlugin({ n: limits.aliases, allowList: [] }),
    costLimitPlugin({ maxCost: limits.cost }),
  ] as Plugin[];
