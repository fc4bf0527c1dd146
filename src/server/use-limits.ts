import { costLimitPlugin } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { GraphQLError, type ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** How large a document from outside may be. REST's own documents are fixed and are not measured. */
export const limits = { depth: 12, aliases: 30, tokens: 2_000, cost: 30_000 } as const;

/** Refuses documents that ask for more than one caller should get at once, before they are executed. */
export const useLimits = (): Plugin[] =>
  [
    maxTokensPlugin({ n: limits.tokens, ...clearly }),
    maxDepthPlugin({ n: limits.depth, ...clearly }),
    maxAliasesPlugin({ n: limits.aliases, allowList: [], ...clearly }),
    costLimitPlugin({ maxCost: limits.cost, ...clearly }),
  ] as Plugin[];

/** The plugins call a document that is too large a syntax error; it is a refusal with a code. */
const clearly = {
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, { message }: GraphQLError) => {
      const refusal = new GraphQLError(message.replace(/^Syntax Error: /, ''), {
        extensions: { code: 'BAD_REQUEST' },
      });
      if (!context) throw refusal;
      context.reportError(refusal);
    },
  ],
};
