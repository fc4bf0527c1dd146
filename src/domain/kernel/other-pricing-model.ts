import { memberOf } from '#engines/lockstep/lockstep.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { DomainError } from './errors.ts';
import type { Session } from './session.ts';

/** The refusals of an object of a catalog that the caller's pricing model does not have, by what they state. */
const unknown = [
  /^Unknown (?<noun>price|product|feature|resource|usage meter) (?<named>\S+)$/,
  /^Invalid or not-found (?<noun>price) ID: (?<named>\S+)$/,
  /^(?<noun>Price) with slug "(?<named>[^"]+)" not found in this pricing model$/,
];

/**
 * A refusal that names the other pricing model which has the object: the caller has taken the wrong API key then. Only
 * secret keys see other pricing models of their organization. Undefined for any other error.
 */
export async function namingOther(session: Session, error: unknown) {
  if (!(error instanceof DomainError) || session.keyType !== 'secret') return undefined;
  let isNamed = false;
  const issues = [];
  for (const issue of error.issues) {
    const place = issue.code === 'NOT_FOUND' ? await otherPlace(session, issue.message) : undefined;
    if (place) isNamed = true;
    issues.push(place ? { ...issue, message: `${issue.message}: ${place}` } : issue);
  }
  if (!isNamed || error.code === 'CONFLICT') return undefined;
  return new DomainError(error.code, error.message, { issues, cause: error });
}

async function otherPlace(session: Session, message: string): Promise<string | undefined> {
  const groups = unknown.map((pattern) => pattern.exec(message)?.groups).find((found) => found);
  const noun = groups?.noun;
  const named = groups?.named;
  // The members of a batch share their statements, and one that is refused has none any more.
  if (!noun || !named || memberOf(session.em)) return undefined;
  const { em, organizationId, pricingModelId, livemode } = session;
  const table = noun.toLowerCase().replace(' ', '_');
  const [other] = await statement<{ id: string; name: string }>(
    em,
    undefined,
    `select m.id, m.name from ${table} as o join pricing_model as m on m.id = o.pricing_model_id
     where o.organization_id = $1 and o.livemode = $2 and o.pricing_model_id <> $3 and (o.id = $4 or o.slug = $4)
     order by m.is_default desc, m.id limit 1`,
    [organizationId, livemode, pricingModelId, named],
  );
  return (
    other &&
    `it is of the pricing model ${other.name} (${other.id}), so use an API key of that pricing model`
  );
}
