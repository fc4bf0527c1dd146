import {
  accessScopes,
  type CallerScope,
  operatorScopes,
  type OperatorRole as Role,
} from '#domain/kernel/access-scopes.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { type RefusedMutation, refusedMutations } from '../engine/access.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, nullable, text } from '../engine/fields.ts';
import { load } from '../engine/load.ts';
import { object } from '../engine/types.ts';
import { OperatorRole } from './operators.ts';

const viewerKinds = ['api_key', 'operator'] as const;

const ViewerKind = builder.enumType('ViewerKind', {
  description: 'The kind of a caller.',
  values: described(viewerKinds, {
    api_key: 'A client with a secret key.',
    operator: 'A person who has signed in.',
  }),
});

/** The scopes of a caller; those of operators only where one has signed in. */
const scopesOf = ({ operator, scopes }: Session): readonly CallerScope[] =>
  scopes ?? (operator ? operatorScopes : accessScopes);

const RefusedMutationType = object<RefusedMutation>('RefusedMutation')({
  description: 'A mutation that the caller may not use.',
  fields: () => ({
    name: text('The name of the mutation.'),
    scope: nullable.text(
      'The scope that it needs; null for a mutation that needs a secret key without scopes.',
    ),
  }),
});

const Viewer = object<Session>('Viewer')({
  description: 'The caller, and the part of the organization that the request works in.',
  fields: (t) => ({
    kind: t.field({
      type: ViewerKind,
      description: 'The kind of the caller.',
      resolve: ({ operator }) => (operator ? ('operator' as const) : ('api_key' as const)),
    }),
    apiKey: t.field({
      type: ApiKey,
      nullable: true,
      description: 'The API key; null for an operator.',
      resolve: ({ apiKeyId }, _args, session) =>
        apiKeyId ? load(session, ApiKey, apiKeyId) : null,
    }),
    operator: t.field({
      type: Operator,
      nullable: true,
      description: 'The operator who has signed in; null for an API key.',
      resolve: ({ operator }, _args, session) =>
        operator ? load(session, Operator, operator.id) : null,
    }),
    role: t.field({
      type: OperatorRole,
      nullable: true,
      description: 'The role of the operator; null for an API key.',
      resolve: ({ operator }): Role | null => operator?.role ?? null,
    }),
    scopes: t.stringList({
      description:
        'All scopes of the caller: those of API keys, and for operators also `account_write` and `operators_write`.',
      resolve: (session) => [...scopesOf(session)],
    }),
    refusedMutations: t.field({
      type: [RefusedMutationType],
      description:
        'The mutations that the caller may not use, at most 200. A page can disable their buttons.',
      resolve: (viewer, _args, _session, { schema }) => refusedMutations(viewer, schema),
    }),
    livemode: flag('Whether the request works with live data (true) or test data (false).'),
    organization: t.field({
      type: OrganizationSettings,
      description: 'The organization.',
      resolve: (_viewer, _args, session) => settingsOf(session),
    }),
    pricingModel: t.field({
      type: PricingModel,
      nullable: true,
      description:
        'The pricing model that the request works in; null for an operator in a mode that has none.',
      resolve: ({ pricingModelId }, _args, session) =>
        pricingModelId ? load(session, PricingModel, pricingModelId) : null,
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'The caller of this request: a secret key or an operator.',
    resolve: (_root, _args, session) => session,
  }),
);
