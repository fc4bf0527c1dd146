import type { EntityClass } from '@mikro-orm/core';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { fieldMarks } from './extensions.ts';
import { type Field, id, nullable, type Resolved } from './fields.ts';
import { load } from './load.ts';
import { catalogTypes } from './token-access.ts';

/** The scopes of a field that leads to records of an entity. */
export const accessTo = (entity: EntityClass<object>) =>
  catalogTypes.has(entity.name) ? {} : { authScopes: { secretKey: true } };

/**
 * A field that returns the object of an id: `reference(Customer, 'customerId', '…')`. The loads of one level share one
 * statement. Errors: NOT_FOUND for a record that was deleted meanwhile.
 */
export const reference = (
  entity: EntityClass<object>,
  id: string,
  description: string,
): Resolved => ({
  ...accessTo(entity),
  type: entity,
  nullable: false,
  description,
  resolve: async (row: object, _args: object, session: Session) => {
    const found = await load(session, entity, idIn(row, id) ?? '');
    if (found) return found;
    throw new DomainError('NOT_FOUND', `${entity.name} ${idIn(row, id)} not found`);
  },
});

/** The same for an id that may be null, or whose record the caller may not see. */
export const optionalReference = (
  entity: EntityClass<object>,
  id: string,
  description: string,
  extensions = fieldMarks({}),
): Resolved => ({
  ...accessTo(entity),
  type: entity,
  nullable: true,
  description,
  extensions,
  resolve: (row: object, _args: object, session: Session) => {
    const of = idIn(row, id);
    return of ? load(session, entity, of) : null;
  },
});

/** An id and its object: `...withId('customer', Customer, '…')` is the fields `customerId` and `customer`. */
export const withId = <Name extends string>(
  name: Name,
  entity: EntityClass<object>,
  description: string,
) =>
  ({
    [`${name}Id`]: id(description),
    [name]: reference(entity, `${name}Id`, description),
  }) as Record<`${Name}Id`, Field<'ID', false>> & Record<Name, Resolved>;

/** The same for an id that may be null. */
export const withOptionalId = <Name extends string>(
  name: Name,
  entity: EntityClass<object>,
  description: string,
) =>
  ({
    [`${name}Id`]: nullable.id(description),
    [name]: optionalReference(entity, `${name}Id`, description),
  }) as Record<`${Name}Id`, Field<'ID', true>> & Record<Name, Resolved>;

const idIn = (row: object, name: string) => (row as Record<string, string | null>)[name];
