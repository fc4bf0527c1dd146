import { claimResource, claimResourceInput } from '#domain/resource-claims/claim-resource.ts';
import { releaseResource, releaseResourceInput } from '#domain/resource-claims/release-resource.ts';
import { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { builder } from './engine/builder.ts';
import { ResourceUsage } from './resource-usage.ts';

const ClaimResourcePayload = builder
  .objectRef<Awaited<ReturnType<typeof claimResource>>>('ClaimResourcePayload')
  .implement({
    description: 'What has been claimed.',
    fields: (t) => ({
      claims: t.field({
        type: [ResourceClaim],
        description: 'The new claims, and those that the asked names had already.',
        resolve: ({ claims }) => claims,
      }),
      usage: t.expose('usage', { type: ResourceUsage, description: 'How it stands now.' }),
    }),
  });

const ReleaseResourcePayload = builder
  .objectRef<Awaited<ReturnType<typeof releaseResource>>>('ReleaseResourcePayload')
  .implement({
    description: 'What has been given back.',
    fields: (t) => ({
      releasedClaims: t.field({
        type: [ResourceClaim],
        description: 'The claims, oldest first.',
        resolve: ({ releasedClaims }) => releasedClaims,
      }),
      usage: t.expose('usage', { type: ResourceUsage, description: 'How it stands now.' }),
    }),
  });

builder.mutationFields((t) => ({
  claimResource: t.field({
    type: ClaimResourcePayload,
    description:
      'Claims capacity, all that is asked for or nothing; give exactly one of quantity, externalId and externalIds. Errors: NOT_FOUND; BAD_REQUEST for a resource that is unknown or not granted; CONFLICT for a subscription that is incomplete or has ended and for more than is available.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'Whose capacity.' }),
      resourceSlug: t.arg.string({ required: true, description: 'Of which resource.' }),
      quantity: t.arg({ type: 'SafeInt', description: 'How many anonymous claims.' }),
      externalId: t.arg.string({
        description: 'Your own name for who is to hold it; who has a claim keeps it.',
      }),
      externalIds: t.arg.stringList({ description: 'Several such names, each counted once.' }),
      metadata: t.arg({
        type: 'JSON',
        description:
          'Is attached to the new claims: names with a text of up to 500 characters, a number or a boolean.',
      }),
    },
    validate: { schema: claimResourceInput },
    resolve: (_root, args, session) => claimResource(session, args as never),
  }),
  releaseResource: t.field({
    type: ReleaseResourcePayload,
    description:
      'Gives claims back, all that are asked for or none; give exactly one of quantity, externalId, externalIds and claimIds. Errors: NOT_FOUND; BAD_REQUEST for what is no active claim.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'Whose claims.' }),
      resourceSlug: t.arg.string({ required: true, description: 'Of which resource.' }),
      quantity: t.arg({
        type: 'SafeInt',
        description: 'How many anonymous claims, the oldest first.',
      }),
      externalId: t.arg.string({ description: 'The claim with this name.' }),
      externalIds: t.arg.stringList({ description: 'The claims with these names.' }),
      claimIds: t.arg.idList({ description: 'The claims with these ids, named or anonymous.' }),
    },
    validate: { schema: releaseResourceInput },
    resolve: (_root, args, session) => releaseResource(session, args),
  }),
}));
