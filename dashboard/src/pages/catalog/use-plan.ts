import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { TollgateError } from '@tollgate/client/errors';
import { useState } from 'react';
import { effectsOf } from '../../commands/effects.ts';
import { useConnection } from '../../live/service.tsx';
import type { CatalogPlan } from './plan-list.tsx';

/** A catalog document that is planned and applied. */
export interface Planned {
  /** The plan of exactly this text; undefined after an edit. */
  readonly plan: CatalogPlan | undefined;
  readonly error: TollgateError | undefined;
  readonly isBusy: boolean;
  readonly look: () => Promise<void>;
  /** Applies that plan and no other. Returns whether it was applied. */
  readonly apply: () => Promise<boolean>;
}

/** Plans a mutation by the text of a document, and applies it where the catalog is as the plan saw it. */
export function usePlan<Data, Variables extends { expectedCatalog?: string | null }>(
  document: TypedDocumentNode<Data, Variables>,
  text: string,
  variablesOf: (parsed: Record<string, unknown>) => Variables,
): Planned {
  const connection = useConnection();
  const [planned, setPlanned] = useState<{ readonly text: string; readonly plan: CatalogPlan }>();
  const [failed, setFailed] = useState<{ readonly text: string; readonly error: TollgateError }>();
  const [isBusy, setBusy] = useState(false);
  const plan = planned?.text === text ? planned.plan : undefined;

  async function attempt(step: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    setFailed(undefined);
    try {
      await step();
      return true;
    } catch (error) {
      setFailed({ text, error: problemOf(error) });
      return false;
    } finally {
      setBusy(false);
    }
  }

  return {
    plan,
    error: failed?.text === text ? failed.error : undefined,
    isBusy,
    look: async () => {
      await attempt(async () => {
        const variables = variablesOf(JSON.parse(text));
        const { extensions } = await connection.execute(document, variables, { dryRun: true });
        setPlanned({ text, plan: effectsOf(extensions).catalog as CatalogPlan });
      });
    },
    apply: () =>
      attempt(() => {
        const expectedCatalog = plan?.state ?? null;
        return connection.execute(document, { ...variablesOf(JSON.parse(text)), expectedCatalog });
      }),
  };
}

const problemOf = (error: unknown): TollgateError =>
  error instanceof TollgateError
    ? error
    : new TollgateError('BAD_REQUEST', `The document is not valid JSON: ${String(error)}`);
