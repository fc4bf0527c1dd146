import {
  createResource,
  createResourceInput,
} from '#domain/catalog/commands/resources/create-resource.ts';
import {
  updateResource,
  updateResourceInput,
} from '#domain/catalog/commands/resources/update-resource.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { builder } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { nullable, text } from '../engine/fields.ts';
import { payload } from '../engine/payload.ts';
import { input } from '../engine/types.ts';

const CreateResource = input('CreateResourceInput', {
  description: 'A new resource.',
  fields: {
    slug: text('The slug, unique in the pricing model.'),
    name: text('The display name.'),
    active: nullable.flag('Whether new features can use it; true when absent.'),
  },
});

const UpdateResource = input('UpdateResourceInput', {
  description: 'Changes to a resource; absent fields do not change.',
  fields: {
    id: nullable.id('The id, repeated; it must equal the id of the request.'),
    slug: nullable.text('The slug, unique in the pricing model.'),
    name: nullable.text('The display name.'),
    active: nullable.flag('Whether new features can use it.'),
  },
});

builder.mutationFields((t) => ({
  createResource: t.field({
    type: payload('createResource', Resource, 'The new resource.'),
    description: 'Creates a resource. Errors: BAD_REQUEST for a taken slug.',
    args: {
      resource: t.arg({ type: CreateResource, required: true, description: 'The resource.' }),
    },
    validate: { schema: createResourceInput },
    resolve: (_root, args, session) => createResource(session, args),
  }),
  updateResource: t.field({
    type: payload('updateResource', Resource, 'The changed resource.'),
    description: 'Changes a resource. Errors: NOT_FOUND; BAD_REQUEST for a taken slug.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the resource.' }),
      resource: t.arg({ type: UpdateResource, required: true, description: 'The changes.' }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updateResourceInput },
    resolve: (_root, args, session) => updateResource(session, args),
  }),
}));
