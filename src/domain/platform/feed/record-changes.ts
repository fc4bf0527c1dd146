import { isDeepStrictEqual } from 'node:util';
import {
  ArrayType,
  BigIntType,
  type ChangeSet,
  DecimalType,
  type EntityMetadata,
  type EntityProperty,
  type EventSubscriber,
  type FlushEventArgs,
  JsonType,
} from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { later } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { newId } from '#domain/kernel/ids.ts';
import { type Scope, scopeOf } from '#domain/kernel/session.ts';
import { jsonNumber } from '#domain/kernel/values/decimal.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import type { EventType } from '#domain/model/platform/event-types.ts';
import { changedDocuments } from './changed-documents.ts';
import { type Origin, originColumns } from './origin.ts';
import { type NewEvent, writeEvents } from './write-events.ts';

type Row = Record<string, unknown> & {
  id: string;
  /** Absent in a row of both modes. */
  livemode?: boolean;
  organizationId: string;
  version: number;
  updatedAt: Date;
};

const kinds = new Set(['create', 'update', 'update_early', 'delete', 'delete_early']);

/** The columns that every change sets; they alone make no event. */
const bookkeeping = new Set(['updatedAt', 'version']);

/**
 * Writes one event for every object that a transaction creates or changes, as part of that transaction. A transaction
 * that is rolled back leaves none; an object that is flushed several times has one.
 */
export class ChangeRecorder implements EventSubscriber {
  async afterFlush({ em, uow }: FlushEventArgs) {
    const scope = scopeOf(em as EntityManager) ?? {};
    const origin = originColumns(scope);
    const events = uow
      .getChangeSets()
      .filter(isCounted)
      .filter(isNews)
      .map((change) => ({ ...eventOf(change, scope), ...origin }));
    if (events.length > 0) await writeEvents(em as EntityManager, events);
    const documents = await eventsOfDocuments(em as EntityManager, uow.getChangeSets());
    if (documents.length > 0) await writeEvents(em as EntityManager, documents);
  }
}

/** The events of the documents whose members a flush has changed. */
async function eventsOfDocuments(em: EntityManager, changes: readonly ChangeSet<object>[]) {
  const news = changes.filter((change) => isCounted(change) && isNews(change));
  const documents = await changedDocuments(em, news);
  const meta = em.getMetadata().get(ConsolidatedInvoice);
  const origin = originColumns(scopeOf(em) ?? {});
  return documents.map(({ document, verb, before, status }) => {
    const { customerId, livemode, organizationId, pricingModelId } = document;
    const tenant = { customerId, livemode, organizationId, pricingModelId };
    return {
      id: newId('evt'),
      type: `consolidated_invoice.${verb}` as const,
      objectType: 'ConsolidatedInvoice',
      objectId: document.id,
      objectVersion: document.version,
      data: { ...render(meta, document as unknown as Row), status },
      previousAttributes: verb === 'created' ? null : before === status ? {} : { status: before },
      occurredAt: document.updatedAt,
      ...tenant,
      ...origin,
    };
  });
}

const isCounted = ({ type, meta }: ChangeSet<object>) =>
  kinds.has(type) && 'version' in meta.properties;

/** The event of a change. An object without a pricing model or a mode is recorded in that of the session. */
function eventOf(
  change: ChangeSet<object>,
  { pricingModelId, livemode, now }: Scope,
): Omit<NewEvent, keyof Origin> {
  const { meta, type } = change;
  const row = change.entity as Row;
  const created = type === 'create';
  const deleted = type.startsWith('delete');
  const own = { objectType: meta.className, objectId: row.id };
  const { objectType, objectId } = (row as Partial<EmitsEvents>).shownAs?.() ?? own;
  const name = objectType.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  const ownPricingModelId = objectType === 'PricingModel' ? row.id : pricingModelId;
  return {
    id: newId('evt'),
    type: typeOf(name, change),
    objectType,
    objectId,
    // A deletion is the last change; the row itself does not count it.
    objectVersion: deleted ? row.version + 1 : row.version,
    data: { ...(objectId !== row.id && { id: objectId }), ...render(meta, row), ...furtherOf(row) },
    previousAttributes: created ? null : before(change),
    customerId: objectType === 'Customer' ? row.id : ((row.customerId as string) ?? null),
    livemode: row.livemode ?? livemode,
    organizationId: row.organizationId,
    pricingModelId: (row.pricingModelId as string) ?? ownPricingModelId,
    occurredAt: deleted ? later(row.updatedAt, now) : row.updatedAt,
  };
}

/** A change of hidden columns only makes no event. */
const isNews = (change: ChangeSet<object>) =>
  !change.type.startsWith('update') ||
  Object.keys(before(change)).length > 0 ||
  Object.keys(furtherOf(change.entity)).length > 0;

function typeOf(name: string, change: ChangeSet<object>): EventType {
  const ofCreation = (change.entity as Partial<EmitsEvents>).createdType?.();
  const own = change.type === 'create' ? ofCreation : undefined;
  return (own ?? `${name}.${verbOf(change)}`) as EventType;
}

const furtherOf = (entity: object) => (entity as Partial<EmitsEvents>).further?.() ?? {};

function verbOf({ type, entity, payload }: ChangeSet<object>) {
  if (type === 'create') return 'created';
  if (type.startsWith('delete')) return 'deleted';
  const { verbFor } = entity as Partial<EmitsEvents>;
  return verbFor?.call(entity, new Set(Object.keys(payload))) ?? 'updated';
}

/** An object as its events show it, for those that are written without the ORM. */
export const renderedIn = (em: EntityManager, object: object): Record<string, unknown> =>
  render(em.getMetadata().get(object.constructor), object as Row);

/** The object as the API's current rendering shows it: its columns without the hidden ones. */
function render(meta: EntityMetadata, row: Row) {
  return Object.fromEntries(
    shown(meta).map((property) => [keyOf(property), shownOf(property, row)]),
  );
}

/** The former values of the columns that differ now, in the same types as the present ones. */
function before({ meta, payload = {}, originalEntity = {}, entity }: ChangeSet<object>) {
  const original = originalEntity as Record<string, unknown>;
  const row = entity as Record<string, unknown>;
  const changed = shown(meta).filter(({ name }) => name in payload && !bookkeeping.has(name));
  const told = Object.fromEntries(
    changed
      .map((property): [EntityProperty, unknown] => [property, was(property, original)])
      .filter(([property, value]) => !isDeepStrictEqual(value, shownOf(property, row)))
      .map(([property, value]) => [keyOf(property), value]),
  );
  return { ...told, ...(entity as Partial<EmitsEvents>).untold?.() };
}

/** A value in the form in which the ORM reads it: large integers, dates and lists are text. */
function was({ name, runtimeType, customType }: EntityProperty, original: Record<string, unknown>) {
  const value = original[name];
  if (value == null) return null;
  if (runtimeType === 'Date') return new Date(value as string).getTime();
  if (customType instanceof BigIntType) return Number(value);
  if (customType instanceof DecimalType) return jsonNumber(String(value));
  if (customType instanceof JsonType && typeof value === 'string') return JSON.parse(value);
  if (customType instanceof ArrayType && customType.platform && typeof value === 'string') {
    return customType.convertToJSValue(value, customType.platform);
  }
  return shownValue(value);
}

const shown = ({ props }: EntityMetadata): EntityProperty[] =>
  props.filter(({ kind, hidden }) => !hidden && (kind === 'scalar' || kind === 'm:1'));

/** A reference is shown by its id, under the name of its column: `product_id` is productId. */
const keyOf = ({ kind, name, fieldNames: [column = ''] }: EntityProperty) =>
  kind === 'm:1' ? column.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()) : name;

/** Exact decimals are text in memory, and numbers wherever they are shown. */
function shownOf({ name, customType }: EntityProperty, row: Record<string, unknown>) {
  const value = shownValue(row[name]);
  // A unique key has the empty text where there is no period.
  if (name === 'billingPeriodId') return value || null;
  return customType instanceof DecimalType && value !== null ? jsonNumber(String(value)) : value;
}

function shownValue(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'object' && value !== null && 'id' in value) return value.id;
  return value ?? null;
}
