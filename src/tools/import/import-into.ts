import type { Config } from '#config';
import { presentOf } from '#domain/kernel/values/present.ts';
import { sessionFor } from '../keys/commands.ts';
import { openForWork } from '../tool-database.ts';
import type { ImportRequest } from './arguments.ts';
import { runImport } from './run-import.ts';
import type { Report } from './source/report.ts';

/** Imports into the configured database, also while a process of the service uses it. Errors: those of `runImport`. */
export async function importInto(request: ImportRequest, config: Config): Promise<Report> {
  await using opened = new AsyncDisposableStack();
  const { orm } = await openForWork(opened, config);
  const em = orm.em.fork();
  const { live, pricingModelId } = request;
  const place = await sessionFor(em, { live, pricingModelId }, await presentOf(em));
  const { organizationId, livemode, pricingModelId: model } = place;
  const scope = {
    organizationId,
    livemode,
    pricingModelId: model,
    keyType: 'secret',
    actor: { type: 'system', id: 'import' },
  } as const;
  // Awaited here: without that the database would be closed while the import works.
  return await runImport(em, scope, request);
}
