import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';

interface Named {
  readonly usageMeterId?: string | null | undefined;
  readonly usageMeterSlug?: string | null | undefined;
}

/** The meter that an alert names; null for none. Errors: BAD_REQUEST below `field` for an unknown one. */
export async function alertedMeter(
  { em }: Session,
  { usageMeterId, usageMeterSlug }: Named,
  field: string,
): Promise<UsageMeter | null> {
  if (usageMeterId == null && usageMeterSlug == null) return null;
  const named = usageMeterId == null ? { slug: usageMeterSlug ?? '' } : { id: usageMeterId };
  const meter = await em.findOne(UsageMeter, named);
  if (meter) return meter;
  const path = `${field}.${usageMeterId == null ? 'usageMeterSlug' : 'usageMeterId'}`;
  throw invalid('NOT_FOUND', path, `Unknown usage meter ${named.id ?? named.slug}`);
}
