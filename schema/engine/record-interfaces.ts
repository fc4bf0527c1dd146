import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { builder } from './builder.ts';
import { built } from './fields.ts';
import { optionalReference, reference } from './reference.ts';

interface OwnedRow {
  createdAt: Date;
  updatedAt: Date;
  livemode: boolean;
  organizationId: string;
}

/** The fields of every record. */
export const OrganizationRecord = builder.interfaceRef<OwnedRow>('OrganizationRecord').implement({
  description: 'A record of an organization, in test mode or in live mode.',
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'The time of creation.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'Timestamp',
      description: 'The time of the last change.',
    }),
    livemode: t.exposeBoolean('livemode', {
      description: 'Live data (true) or test data (false).',
    }),
    organizationId: t.exposeID('organizationId', {
      description: 'The organization that owns the object.',
    }),
    ...built(t, {
      organization: optionalReference(
        OrganizationSettings,
        'organizationId',
        'The organization that owns the object; null, with an error, for a publishable key.',
      ),
    }),
  }),
});

/** The fields of every record of a pricing model. */
export const PricingModelRecord = builder
  .interfaceRef<OwnedRow & { pricingModelId: string }>('PricingModelRecord')
  .implement({
    description: 'A record of a pricing model.',
    interfaces: [OrganizationRecord],
    fields: (t) => ({
      pricingModelId: t.exposeID('pricingModelId', {
        description: 'The pricing model that the object belongs to.',
      }),
      ...built(t, {
        pricingModel: reference(
          PricingModel,
          'pricingModelId',
          'The pricing model that the object belongs to.',
        ),
      }),
    }),
  });
