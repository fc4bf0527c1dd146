import { resolve } from 'node:path';
import { ImportError } from '../import/source/import-error.ts';
import { type Difference, differences } from './compare.ts';
import { findOf, mutationOf, valuesOf } from './operations.ts';
import { resolved } from './references.ts';
import { reasonOf, refused, refusedOtherwise } from './refusals.ts';
import type { Action, Advance, Find, Import, Scenario, Values } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';
import type { Service } from './service.ts';

/** The parts of a scenario that is being executed. */
export interface Run {
  readonly service: Service;
  readonly clockId: string;
  /** The folder of the file, from which the step of an import names its own. */
  readonly folder: string;
  /** The results that steps have named; a step adds its own. */
  readonly results: Map<string, ReadonlyMap<string, unknown>>;
}

const longestName = 100;

/** Makes the clock, the settings and the catalog of a scenario. Errors: ScenarioError for what the service refuses. */
export async function prepare(scenario: Scenario, service: Service, folder: string): Promise<Run> {
  const { clock, organization, catalog, name } = scenario;
  const testClock = { name: name.slice(0, longestName), frozenTime: clock };
  const clockId = await demand(service, 'createTestClock', { testClock });
  if (organization) await demand(service, 'updateOrganization', { organization });
  if (catalog) {
    const query = '{ defaultPricingModel { id name } }';
    const { data } = await service.call({ query, variables: {} });
    const { id, name } = (data?.defaultPricingModel ?? {}) as Values;
    const pricingModel = { name, resources: [], features: [], usageMeters: [], ...catalog };
    await demand(service, 'updatePricingModel', { id, pricingModel });
  }
  return { service, clockId, folder, results: new Map() };
}

/** The id of what a mutation makes or changes. Errors: ScenarioError for a refusal. */
async function demand(service: Service, mutation: string, args: Values): Promise<string> {
  const action = {
    kind: 'action',
    mutation,
    args,
    as: undefined,
    fails: undefined,
    line: 1,
  } as const;
  const { schema, call } = service;
  const paths = new Set(['']);
  const { data, errors } = await call(mutationOf(schema, action, args, paths));
  if (errors) throw new ScenarioError(`${mutation}: ${reasonOf({ errors })}`);
  return String(valuesOf(schema, 'mutation', mutation, data?.[mutation], paths).get(''));
}

/** Executes a mutation. Returns the difference where it does not end as expected. Errors: ScenarioError. */
export async function act(
  step: Action,
  { service, clockId, results }: Run,
  paths: ReadonlySet<string>,
): Promise<Difference | undefined> {
  const { mutation, as, fails } = step;
  const args = onClock(mutation, resolved(step.args, results, step.line), clockId);
  const answer = await service.call(mutationOf(service.schema, step, args, paths));
  if (fails) return refusedOtherwise(mutation, fails, answer);
  if (answer.errors) return refused(mutation, answer);
  if (as) {
    const result = answer.data?.[mutation];
    results.set(as, valuesOf(service.schema, 'mutation', mutation, result, paths));
  }
  return undefined;
}

/** Customers live on the clock of the scenario, unless they name another one. */
function onClock(mutation: string, args: Values, testClockId: string): Values {
  if (mutation !== 'createCustomer') return args;
  return { ...args, customer: { testClockId, ...(args.customer as Values | undefined) } };
}

/** Names the first record that a query finds. Returns a difference where there is none. Errors: ScenarioError. */
export async function find(
  { expected, as, line }: Find,
  { service: { schema, call }, results }: Run,
  paths: ReadonlySet<string>,
): Promise<Difference | undefined> {
  const { field } = expected;
  const args = resolved(expected.args, results, line);
  const answer = await call(findOf(schema, expected, args, paths));
  if (answer.errors) return refused(field, answer);
  const result = answer.data?.[field] as Values | null | undefined;
  const record = result && 'nodes' in result ? (result.nodes as Values[]).at(0) : result;
  if (!record) return { path: field, expected: 'a record', actual: 'none' };
  results.set(as, valuesOf(schema, 'query', field, record, paths));
  return undefined;
}

/** Imports an export. Returns the differences from the report that is expected. Errors: ScenarioError. */
export async function take(
  { from, folder, report: wanted, line }: Import,
  { service, clockId: testClockId, folder: base }: Run,
): Promise<Difference[]> {
  const plan = { from, folder: resolve(base, folder), testClockId };
  const report = await service.importExport(plan).catch((error) => {
    throw error instanceof ImportError ? new ScenarioError(error.message, line) : error;
  });
  if (wanted) return differences('import', wanted, report.lines(true));
  return report.problems
    .filter(({ isLeftOut }) => isLeftOut)
    .map(({ record, message }) => ({ path: record, expected: 'imported', actual: message }));
}

/** Moves the clock of the scenario. Returns a difference where that is refused. */
export async function advance(
  { to }: Advance,
  { service, clockId: id }: Run,
): Promise<Difference | undefined> {
  const query =
    'mutation ($id: ID!, $to: Timestamp!) { advanceTestClock(id: $id, frozenTime: $to) { testClock { status } } }';
  const answer = await service.call({ query, variables: { id, to } });
  if (answer.errors) return refused('advance', answer);
  const advanced = answer.data?.advanceTestClock as { testClock: Values } | undefined;
  if (advanced?.testClock.status === 'advancing') await service.carryOn();
  return undefined;
}
