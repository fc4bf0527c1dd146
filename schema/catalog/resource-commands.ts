import {
  createResource,
  createResourceInput,
} from '#domain/catalog/commands/resources/create-resource.ts';
import {
  updateResource,
  updateResourceInput,
} from '#domain/catalog/commands/resources/update-resource.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of, repeatedId, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
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
    id: repeatedId,
    slug: nullable.text('The slug, unique in the pricing model.'),
    name: nullable.text('The display name.'),
    active: nullable.flag('Whether new features can use it.'),
  },
});

mutation('createResource', {
  returns: [Resource, 'The new resource.'],
  description: 'Creates a resource. Errors: BAD_REQUEST for a taken slug.',
  args: { resource: of(CreateResource, 'The resource.') },
  input: createResourceInput,
  command: createResource,
});

mutation('updateResource', {
  returns: [Resource, 'The changed resource.'],
  description: 'Changes a resource. Errors: NOT_FOUND; BAD_REQUEST for a taken slug.',
  args: {
    id: id('The id of the resource.'),
    resource: of(UpdateResource, 'The changes.'),
    expectedVersion,
  },
  input: updateResourceInput,
  command: updateResource,
});
