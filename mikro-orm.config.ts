import { DataloaderType, LoadStrategy } from '@mikro-orm/core';
import { type Configuration, defineConfig } from '@mikro-orm/postgresql';
import { entities, scopedEntities } from '#domain/entities.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { ofCustomer } from '#domain/kernel/reads/of-customer.ts';
import { published } from '#domain/kernel/reads/published.ts';
import type { Scope } from '#domain/kernel/session.ts';
import { ChangeRecorder } from '#domain/platform/feed/record-changes.ts';
import { BindingDriver } from '#engines/statements/binding-driver.ts';
import { PooledConnection } from '#server/database/pooled-connection.ts';

/** The tables of an organization in one mode, whatever the pricing model. */
const ofMode: ReadonlySet<string> = new Set([
  'MailSettings',
  'MailTemplate',
  'OrganizationSettings',
  'ProcessorAccount',
]);

/** The tables of an organization in both modes. */
const ofOrganization: ReadonlySet<string> = new Set([
  'Operator',
  'OperatorInvitation',
  'OperatorSession',
]);

/**
 * What a key may see of an entity. Without parameters this throws, so a forgotten scope is an error and not a leak. A
 * pricing model belongs to one organization and mode. To name these too would make the planner expect fewer rows, and
 * sort all of a list for its first page.
 */
function visible(scope: Scope, entityName: string | undefined) {
  const { organizationId, livemode, pricingModelId, keyType, customerId, now } = scope;
  if (!organizationId) throw new Error(`${entityName} is read without a session`);
  if (ofMode.has(entityName ?? '')) return { organizationId, livemode };
  if (ofOrganization.has(entityName ?? '')) return { organizationId };
  if (entityName !== 'PricingModel') {
    const own = { pricingModelId };
    if (keyType === 'customer_token') {
      if (!customerId) throw new Error(`${entityName} is read without a customer`);
      return { ...own, ...ofCustomer(scope, customerId, entityName ?? '') };
    }
    return keyType === 'publishable' ? { ...own, ...published(entityName, now) } : own;
  }
  // Whoever runs the organization chooses among its pricing models; its public pages see their own.
  return keyType === 'secret'
    ? { organizationId, livemode }
    : { organizationId, livemode, id: pricingModelId };
}

/** Connections of our pool. Whoever has a secret key sees one pricing model by the same conditions as any other. */
class Driver extends BindingDriver {
  constructor(config: Configuration) {
    super(config, PooledConnection, {
      name: 'tenant',
      values: ['organizationId', 'pricingModelId'],
      shapeOf: ({ keyType, livemode }) => (keyType === 'secret' ? `${livemode}` : null),
    });
  }
}

export default defineConfig({
  driver: Driver as never,
  entities,
  subscribers: [new ChangeRecorder()],
  // Needs the package `dataloader`, which the ORM loads by itself.
  dataloader: DataloaderType.ALL,
  // A joined read has a text of its own each time; references that are in memory already need no read at all.
  loadStrategy: LoadStrategy.SELECT_IN,
  // Without it, columns are plain properties: an accessor for each column of each row costs more than reading the row.
  propagationOnPrototype: false,
  // References stay inside one pricing model by foreign keys; joining them would lock them too.
  autoJoinRefsForFilters: false,
  findOneOrFailHandler: (name, where) =>
    new DomainError('NOT_FOUND', `${name} ${idIn(where)} not found`),
  filters: {
    tenant: {
      cond: (args, _type, _em, _options, entityName) => visible(args as Scope, entityName),
      entity: scopedEntities,
    },
  },
  // Usage events are partitioned by hand, and streams of usage are no records. The digests of functions and the tables of rehearsals belong to the migrator.
  schemaGenerator: {
    skipTables: [
      /^usage_event(_\w+)?$/,
      /^usage_history_file$/,
      /^usage_stream_\w+$/,
      /^organization_move$/,
      /^usage_forward$/,
      /^sql_function$/,
    ],
    ignoreSchema: ['public_rehearsal'],
  },
});

function idIn(where: unknown) {
  if (typeof where === 'string') return where;
  const { id, slug } = (where ?? {}) as { id?: unknown; slug?: unknown };
  return String(id ?? slug ?? '');
}
