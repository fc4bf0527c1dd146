import { RequestCache } from '@pothos/plugin-scope-auth';
import type { Plugin } from 'graphql-yoga';

/**
 * Forgets what executions have found out about a caller. The library keeps that in a `WeakMap` by context, with the
 * context in the value. All that a request has used would survive minor collections of garbage (see `Attached`).
 */
export const forgetScopes = (context: object) => RequestCache.clearForContext(context);

/** Forgets it as soon as an execution is done. */
export function useForgottenScopes(): Plugin {
  return {
    onExecute: ({ args }) => ({ onExecuteDone: () => forgetScopes(args.contextValue) }),
  };
}
