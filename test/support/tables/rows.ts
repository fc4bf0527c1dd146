import type { Session } from '#domain/kernel/session.ts';

/**
 * The whole contents of the database, of any tenant: a digest of each table. Sequences of the feed are excluded,
 * since events get them a little after they are written.
 */
export async function everyRow({ em }: Session): Promise<Record<string, string>> {
  const fork = em.fork();
  const tables = await fork.execute<{ name: string }[]>(
    `select format('%I', relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'event_head' order by 1`,
  );
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(md5((to_jsonb(t) - 'sequence')::text), '' order by md5((to_jsonb(t) - 'sequence')::text))), '') as digest from ${name} t`,
  );
  const rows = await fork.execute<{ name: string; digest: string }[]>(digests.join(' union all '));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
