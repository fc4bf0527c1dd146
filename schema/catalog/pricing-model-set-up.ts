import {
  type CatalogPlan,
  catalogObjectTypes,
  type FieldChange,
  type PlannedChange,
} from '#domain/catalog/catalog-plan.ts';
import {
  clonePricingModel,
  clonePricingModelInput,
  environments,
} from '#domain/catalog/commands/pricing-models/clone-pricing-model.ts';
import {
  type ExportedPricingModel,
  exportPricingModel,
} from '#domain/catalog/commands/pricing-models/export-pricing-model.ts';
import {
  type SetUpPricingModel,
  setUpPricingModel,
  setUpPricingModelInput,
} from '#domain/catalog/commands/pricing-models/set-up-pricing-model.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { expectedCatalog } from '../engine/expected-version.ts';
import { id, json, nullable, of, text, time } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { nodeId } from '../engine/type-names.ts';
import { input, object } from '../engine/types.ts';
import { documentLists, resourceList } from './pricing-model-documents.ts';

/** How many changes of one kind an answer shows. */
const mostShown = 10_000;
const shownText = mostShown.toLocaleString('en-US');

const CatalogObjectType = builder.enumType('CatalogObjectType', {
  description: 'The type of an object that a catalog document changes.',
  values: described(catalogObjectTypes, {
    pricing_model: 'The pricing model itself.',
    resource: 'A resource.',
    usage_meter: 'A usage meter.',
    feature: 'A feature.',
    product: 'A product.',
    price: 'A price of a product or usage meter.',
    product_feature: 'The grant of a feature by a product.',
  }),
});

const CatalogFieldChange = object<FieldChange>('CatalogFieldChange')({
  description: 'A field that a catalog document changes.',
  fields: () => ({
    name: text('The name of the field.'),
    from: nullable.json('The present value.'),
    to: nullable.json('The value of the document.'),
  }),
});

const CatalogChange = object<PlannedChange>('CatalogChange')({
  description: 'An object that a catalog document creates, changes or retires.',
  fields: (t) => ({
    type: of(CatalogObjectType, 'The type of the object.'),
    objectId: nullable.id('The id; null for an object that is created.'),
    object: t.node({
      id: ({ objectId }, _args, session) => nodeId(objectId, session),
      description:
        'The object in its present state; null for one that is created, and for one of another pricing model.',
    }),
    slug: nullable.text(
      'The slug; of the grant of a feature that of the feature. Null without one.',
    ),
    owner: nullable.text(
      'The slug of the product or usage meter that the object belongs to; null for other objects.',
    ),
    reason: text('The reason of the change, in words.'),
    fields: of([CatalogFieldChange], 'The fields that change in place, at most 10.'),
  }),
});

const Plan = object<CatalogPlan>('CatalogPlan')({
  description: 'All changes that a catalog document makes. A document that is applied has none.',
  fields: (t) => ({
    state: text(
      'The state of the catalog before the changes, as a digest. A mutation takes it as `expectedCatalog`.',
    ),
    created: t.field({
      type: [CatalogChange],
      description: `The objects that are added; at most ${shownText}.`,
      resolve: ({ created }) => created.slice(0, mostShown),
    }),
    changed: t.field({
      type: [CatalogChange],
      description: `The objects that change in place; at most ${shownText}.`,
      resolve: ({ changed }) => changed.slice(0, mostShown),
    }),
    retired: t.field({
      type: [CatalogChange],
      description: `The objects that end for new subscriptions; present ones keep them; at most ${shownText}.`,
      resolve: ({ retired }) => retired.slice(0, mostShown),
    }),
  }),
});

const SetUpPayload = object<SetUpPricingModel>('SetUpPricingModelPayload')({
  description: 'The result of `setUpPricingModel`.',
  fields: () => ({
    pricingModel: of(PricingModel, 'The pricing model, with its contents whichever key asks.'),
    plan: of(Plan, 'The changes that the document made.'),
  }),
});

const Exported = object<ExportedPricingModel>('ExportedPricingModel')({
  description: 'A pricing model as a document.',
  fields: () => ({
    pricingModel: json(
      'The document, a value of `SetUpPricingModelInput`. It has the active objects in the order of their slugs, without the no-charge prices of usage meters.',
    ),
    updatedAt: time('The time of the last change of the pricing model or of its catalog.'),
  }),
});

const Environment = builder.enumType('PricingModelEnvironment', {
  description: 'The mode of a pricing model.',
  values: described(environments, { livemode: 'Live mode.', testmode: 'Test mode.' }),
});

const SetUp = input('SetUpPricingModelInput', {
  description: 'A catalog as one document, with slugs in place of ids.',
  fields: {
    name: text('The name of the pricing model, which decides whether it is a new one.'),
    isDefault: nullable.flag(
      'True makes it the default in place of the present one; false is not allowed for the default.',
    ),
    ...documentLists,
    resources: resourceList,
  },
});

builder.queryField('exportPricingModel', (t) =>
  t.field({
    type: Exported,
    description: 'A pricing model of the API key’s mode as a document. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the pricing model.' }) },
    resolve: (_root, { id }, session) => exportPricingModel(session, id),
  }),
);

mutation('setUpPricingModel', {
  returns: SetUpPayload,
  description:
    'Makes a pricing model equal to a document, in one transaction: the one with its name in the API key’s mode, else a new one. A price whose terms differ is retired and replaced, and subscriptions keep it. A dry run shows the changes under `catalog`. Errors: BAD_REQUEST for each wrong field, for a name of several pricing models, for a second live one, and for another state of the catalog.',
  args: {
    pricingModel: of(SetUp, 'The document.'),
    expectedCatalog,
  },
  input: setUpPricingModelInput,
  command: setUpPricingModel,
});

mutation('clonePricingModel', {
  returns: [PricingModel, 'The new pricing model.'],
  description:
    'Copies the active catalog of a pricing model into a new one, which is not the default. Errors: NOT_FOUND; BAD_REQUEST for a second live one.',
  args: {
    id: id('The id of the pricing model.'),
    name: text('The name of the copy.'),
    destinationEnvironment: nullable.of(
      Environment,
      'The mode of the copy; that of the original when absent.',
    ),
  },
  input: clonePricingModelInput,
  command: clonePricingModel,
});
