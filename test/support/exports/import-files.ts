import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { type ImportPlan, runImport } from '../../../src/tools/import/run-import.ts';

/** The files of an export, by their names: texts, bytes, or records of a list. */
export interface Files {
  readonly [file: string]: unknown;
}

/** Writes files into a folder that is removed after the test. Records become a list of Stripe's API. */
export async function folderOf(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const isWritten = typeof content === 'string' || content instanceof Uint8Array;
    const text = isWritten
      ? content
      : JSON.stringify(Array.isArray(content) ? { data: content } : content);
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** Imports files into the tenant of a session, and returns the lines of the report. */
export async function imported(
  session: Session,
  files: Files,
  options: Partial<Pick<ImportPlan, 'from' | 'applies' | 'testClockId'>> = {},
): Promise<string[]> {
  const { organizationId, livemode, pricingModelId } = session;
  const scope = {
    organizationId,
    livemode,
    pricingModelId,
    keyType: 'secret',
    actor: { type: 'system', id: 'import' },
  } as const;
  const { from = 'stripe', applies = true, testClockId } = options;
  const folder = await folderOf(files);
  const report = await runImport(session.em, scope, { folder, from, applies, testClockId });
  return report.lines(applies);
}
