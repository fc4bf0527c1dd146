import { type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { parameterOf } from './entries.ts';
import { type Issue, mostIssues, refuse } from './errors.ts';
import { type Filter, parameterName } from './filters.ts';
import type { Route } from './route.ts';
import type { Parts } from './variables.ts';
import { expectedCatalog, expectedVersion, stateIn } from './versioned.ts';

/** The fields of every record that the API key decides, as the context of an operation shows them. */
interface Tenant {
  readonly organizationId?: unknown;
  readonly livemode?: unknown;
  readonly pricingModelId?: unknown;
}

/** Collects an issue for each field of a body that names another tenant than the key's. */
type Check = (value: unknown, path: Issue['path'], tenant: Tenant, issues: Issue[]) => void;

/** The checks of a route before its operation is executed. */
export interface Heeded {
  /** The names that a query may have; a POST, PUT or DELETE takes none. */
  readonly parameters: ReadonlySet<string>;
  /** Whether it compares the version of `If-Match`. */
  readonly takesVersion: boolean;
  /** Whether it compares the state of a catalog in `If-Match`. */
  readonly takesState: boolean;
  readonly checks: readonly { readonly name: string; readonly check: Check | undefined }[];
}

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly filters?: readonly Pick<Filter, 'name' | 'isEntries'>[];
}

/** Longer lists are refused for their length. */
const mostItems = 10_000;

/** Derives from a route's variables what it heeds. */
export function heededBy({ method, path }: Route, variables: readonly Variable[]): Heeded {
  const names = variables.flatMap(({ name, filters }) =>
    filters ? filters.map(parameterName) : [name],
  );
  const inQuery = method === 'GET' ? names.filter((name) => !path.includes(`:${name}`)) : [];
  const checks = variables.map(({ name, type }) => ({ name, check: checkOf(type) }));
  const takesVersion = names.includes(expectedVersion);
  const takesState = names.includes(expectedCatalog);
  return { parameters: new Set(inQuery), checks, takesVersion, takesState };
}

/**
 * Refuses what would otherwise be ignored and change the meaning of the answer: unknown query parameters, and
 * a body for another organization, mode or pricing model than the key's. Errors: BAD_REQUEST.
 */
export function refuseUnheeded(
  { parameters, checks, method, path, takesVersion, takesState }: Heeded & Route,
  { body, query, ifMatch, path: inPath }: Parts,
  tenant: Tenant,
) {
  const issues =
    query.size > 0 ? unknownParameters({ parameters, method, path }, query, inPath) : [];
  if (method === 'GET' && query.has(ownPricingModel)) {
    for (const pricingModelId of query.getAll(ownPricingModel)) {
      refuseOtherTenant({ pricingModelId }, [], tenant, issues);
    }
  }
  if (ifMatch != null && !(stateIn(ifMatch) ? takesState : takesVersion)) {
    const compared = takesState ? 'takes the state of a plan' : 'does not compare versions';
    const alternative = stateIn(ifMatch) ? 'compares no state of a catalog' : compared;
    const message = `is not supported by ${method} /api/v1${path}, which ${alternative}`;
    issues.push({ code: 'NOT_ALLOWED', path: ['If-Match'], message });
  }
  refuseOtherTenant(body, [], tenant, issues);
  for (const { name, check } of checks) {
    check?.(name === 'input' ? body : body[name], name === 'input' ? [] : [name], tenant, issues);
  }
  if (issues.length > 0) throw refuse('BAD_REQUEST', 'Invalid input data', issues);
}

/** The parameter that every GET takes, as bodies do: it must be the pricing model of the API key. */
const ownPricingModel = 'pricingModelId';

/** An issue for each query parameter that a route does not have. A client may repeat a part of the path. */
function unknownParameters(
  { parameters, method, path }: Pick<Heeded, 'parameters'> & Pick<Route, 'method' | 'path'>,
  query: URLSearchParams,
  inPath: Parts['path'],
): Issue[] {
  const repeats = (name: string) =>
    inPath[name] !== undefined && query.getAll(name).every((value) => value === inPath[name]);
  const unknown = [...new Set(query.keys())].filter(
    (name) =>
      !parameters.has(parameterOf(name)) &&
      !(method === 'GET' && name === ownPricingModel) &&
      !repeats(name),
  );
  const allowed = [...parameters].join(', ');
  const takes =
    allowed || (method === 'GET' ? 'no parameters' : 'no query parameters, but a JSON body');
  return unknown.slice(0, mostIssues).map((name) => ({
    code: 'NOT_ALLOWED',
    path: [name],
    message: `is not a query parameter of ${method} /api/v1${path}, which takes ${takes}`,
  }));
}

/** The check of a type that is, or contains, an input object; undefined for every other. */
function checkOf(type: GraphQLInputType): Check | undefined {
  if (isNonNullType(type)) return checkOf(type.ofType);
  if (isListType(type)) {
    const check = checkOf(type.ofType);
    if (!check) return undefined;
    return (value, path, tenant, issues) => {
      if (!Array.isArray(value)) return;
      for (let index = 0; index < value.length && index < mostItems; index++) {
        check(value[index], [...path, index], tenant, issues);
      }
    };
  }
  if (!isInputObjectType(type)) return undefined;
  // Types may contain themselves, so their fields are inspected when the first value arrives.
  let fields: [string, Check][] | undefined;
  return (value, path, tenant, issues) => {
    if (typeof value !== 'object' || value === null) return;
    fields ??= Object.values(type.getFields()).flatMap(({ name, type }): [string, Check][] => {
      const check = checkOf(type);
      return check ? [[name, check]] : [];
    });
    const object = value as Record<string, unknown>;
    refuseOtherTenant(object, path, tenant, issues);
    for (const [name, check] of fields) check(object[name], [...path, name], tenant, issues);
  };
}

function refuseOtherTenant(
  { organizationId, livemode, pricingModelId }: Readonly<Record<string, unknown>>,
  path: Issue['path'],
  tenant: Tenant,
  issues: Issue[],
) {
  if (issues.length >= mostIssues) return;
  if (organizationId != null && organizationId !== tenant.organizationId) {
    const message = `must be ${tenant.organizationId}, the organization of the API key`;
    issues.push({ code: 'MISMATCH', path: [...path, 'organizationId'], message });
  }
  if (livemode != null && livemode !== tenant.livemode) {
    const message = `must be ${tenant.livemode}, the mode of the API key`;
    issues.push({ code: 'MISMATCH', path: [...path, 'livemode'], message });
  }
  if (pricingModelId != null && pricingModelId !== tenant.pricingModelId) {
    const message = `must be ${tenant.pricingModelId}, the pricing model of the API key; use a key of ${pricingModelId} to access it`;
    issues.push({ code: 'MISMATCH', path: [...path, 'pricingModelId'], message });
  }
}
