import type { EventSubscriber, FlushEventArgs } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';

/** The PostgreSQL channel on which committed changes are announced. */
export const changeChannel = 'tollgate_change';

/** A committed change of one object. Ids are global, so the id alone says which object. */
export interface Change {
  readonly objectId: string;
  readonly objectType: string;
  readonly kind: 'created' | 'updated';
}

const kinds = new Set(['create', 'update', 'update_early']);

/**
 * Announces every object that a transaction creates or changes, as part of that transaction:
 * PostgreSQL delivers on commit, never on rollback, and an object that is flushed twice once.
 */
export class ChangeAnnouncer implements EventSubscriber {
  async afterFlush({ em, uow }: FlushEventArgs) {
    const changes = uow
      .getChangeSets()
      .filter(({ type, meta }) => kinds.has(type) && meta.properties['organizationId' as never])
      .map(
        ({ entity, meta, type }): Change => ({
          objectId: entity.id,
          objectType: meta.className,
          kind: type === 'create' ? 'created' : 'updated',
        }),
      );
    if (changes.length === 0) return;
    await (em as EntityManager).execute(
      'select pg_notify(?, change) from json_array_elements_text(?::json) as change',
      [changeChannel, JSON.stringify(changes)],
    );
  }
}
