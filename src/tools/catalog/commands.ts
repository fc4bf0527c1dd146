import { readFile, writeFile } from 'node:fs/promises';
import type { CatalogPlan, PlannedChange } from '#domain/catalog/catalog-plan.ts';
import { jsonTextOf, yamlTextOf } from '#rest/engine/yaml-text.ts';
import { addressBelow, type CalledService } from '../service-address.ts';
import type { Terminal } from '../terminal.ts';
import { UserError } from '../user-error.ts';
import type { DocumentRequest, ExportRequest } from './arguments.ts';

/** A failure that the caller can correct; the message states the cause. */
class CatalogError extends UserError {
  override readonly name = 'CatalogError';
}

type Json = Readonly<Record<string, unknown>>;

/** Writes a pricing model as a document. Errors: CatalogError. */
export async function exportCatalog(
  { file, pricingModelId, ...service }: ExportRequest,
  { print }: Pick<Terminal, 'print'>,
) {
  const id = pricingModelId ?? (await defaultId(service));
  const path = `/pricing-models/${encodeURIComponent(id)}/export`;
  const answer = await call(service, 'GET', path, { headers: { prefer: 'include=all' } });
  const written = file?.endsWith('.json')
    ? `${JSON.stringify(answer.pricingModel, null, 2)}\n`
    : yamlTextOf(JSON.stringify(answer), 'pricingModel');
  if (file === undefined || file === '-') print(written);
  else await writeFile(file, written);
}

async function defaultId(service: CalledService): Promise<string> {
  const { pricingModel } = await call(service, 'GET', '/pricing-models/default');
  return (pricingModel as { id: string }).id;
}

/**
 * Prints the plan of a document and applies it on request, if the catalog is still as the plan has found it. Returns the
 * exit code. Errors: CatalogError.
 */
export async function runDocument(
  request: DocumentRequest,
  { print, input }: Pick<Terminal, 'print' | 'input'>,
): Promise<number> {
  const { command, file, pricingModelId, state, exitCode } = request;
  const document = await readDocument(file, input);
  const send = (headers: Record<string, string>) =>
    pricingModelId
      ? call(request, 'PUT', `/pricing-models/${encodeURIComponent(pricingModelId)}`, {
          body: { pricingModel: { resources: [], ...document } },
          headers,
        })
      : call(request, 'POST', '/pricing-models/setup', { body: document, headers });
  const expected = (of: string) => ({ 'if-match': `"${of}"` });
  const planned = await send({
    prefer: 'dry-run',
    ...(state !== undefined && expected(state)),
  });
  const { effects } = planned;
  const { catalog } = effects as { catalog: CatalogPlan };
  print(inLines(catalog));
  const hasChanges = countOf(catalog) > 0;
  if (command === 'plan') {
    print(hasChanges ? `To apply this plan only: --state ${catalog.state}\n` : '');
    return hasChanges && exitCode ? 2 : 0;
  }
  const key = { 'idempotency-key': crypto.randomUUID() };
  const applied = hasChanges ? await send({ ...key, ...expected(catalog.state) }) : planned;
  const { id, name } = applied.pricingModel as { id: string; name: string };
  print(`${hasChanges ? 'Applied to' : 'As in'} the pricing model ${name}: ${id}\n`);
  if (!(await isOwn(request, id))) print(otherKey(id));
  return 0;
}

/** Whether the key belongs to a pricing model: a list takes the id of its key's own one only. */
const isOwn = (service: CalledService, id: string): Promise<boolean> =>
  call(service, 'GET', `/prices?limit=1&pricingModelId=${encodeURIComponent(id)}`).then(
    () => true,
    (error: Error) => {
      if (error.message.includes('pricingModelId')) return false;
      throw error;
    },
  );

const otherKey = (id: string) =>
  `This key is of another pricing model. To sell from this one, use a key of it: tollgate keys create --pricing-model ${id}\n`;

async function readDocument(file: string, input: Terminal['input']): Promise<Json> {
  let source: string;
  try {
    source = file === '-' ? await input() : await readFile(file, 'utf8');
  } catch (error) {
    throw new CatalogError(`${file} cannot be read: ${(error as Error).message}`);
  }
  let document: unknown;
  try {
    document = JSON.parse(jsonTextOf(source));
  } catch (error) {
    throw new CatalogError(`${file} is neither YAML nor JSON: ${(error as Error).message}`);
  }
  if (typeof document === 'object' && document && !Array.isArray(document)) return document as Json;
  throw new CatalogError(`${file} must be an object with name, features, products and usageMeters`);
}

const countOf = ({ created, changed, retired }: CatalogPlan) =>
  created.length + changed.length + retired.length;

/** A plan for people: one line for each change, and their numbers. */
function inLines(plan: CatalogPlan): string {
  const { created, changed, retired } = plan;
  if (countOf(plan) === 0) return 'No changes.\n';
  const lines = [
    ...created.map((change) => `+ ${lineOf(change)}`),
    ...changed.map((change) => `~ ${lineOf(change)}`),
    ...retired.map((change) => `- ${lineOf(change)}`),
    `${created.length} to create, ${changed.length} to change, ${retired.length} to retire.`,
  ];
  return `${lines.join('\n')}\n`;
}

function lineOf({ type, slug, objectId, owner, reason }: PlannedChange): string {
  const name = slug ?? objectId;
  return `${[type, ...(name ? [name] : []), ...(owner ? [`of ${owner}`] : [])].join(' ')}: ${reason}`;
}

interface Sent {
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

async function call(
  { url, key }: CalledService,
  method: string,
  path: string,
  { body, headers = {} }: Partial<Sent> = {},
): Promise<Json> {
  const address = addressBelow(url, `/api/v1${path}`);
  let response: Response;
  try {
    response = await fetch(address, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    throw new CatalogError(`${url.origin} does not answer: ${cause?.message || message}`);
  }
  // A proxy may answer without JSON; the status then states the problem.
  const answer = (await response.json().catch(() => ({}))) as Json;
  if (response.ok) return answer;
  const { message = response.statusText, issues = [] } = answer as {
    message?: string;
    issues?: readonly { message: string }[];
  };
  const lines = issues.map((issue) => `  ${issue.message}`);
  throw new CatalogError([`${response.status} ${message}`, ...lines].join('\n'));
}
