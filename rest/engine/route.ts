import {
  type DocumentNode,
  type FieldNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Deprecation } from './deprecation.ts';
import type { DocumentPart } from './documents.ts';
import { withExtras, withoutExtras } from './extras.ts';
import { documentOf, type Fragment } from './fragment.ts';
import type { Legacy } from './legacy.ts';
import type { Selected } from './operations.ts';
import { pageSelection } from './pages.ts';
import type { Parts } from './variables.ts';
import { versionPath, withVersion } from './versioned.ts';
import type { YamlOptions } from './yaml.ts';

/** Kinds of JSON, each with how a body of it becomes the usual one. Errors of the functions: BAD_REQUEST. */
export type MediaTypes = Readonly<Record<string, (sent: unknown) => object>>;

export interface RouteOptions {
  /** The older rendering, which is the default of the route. */
  readonly legacy?: Legacy;
  /**
   * Keys of an object of the answer that are next to it, not within it, by the name of the object. An example is the line
   * items of an invoice.
   */
  readonly nextTo?: Readonly<Record<string, readonly string[]>>;
  /** Keys of the answer's top level that are left out while they are null. */
  readonly omitNull?: readonly string[];
  /**
   * Answer headers, each with the path of the key that it takes the place of, such as `subscription.nextStep`; absent
   * where that is null.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The list, below `/api/v1`, of all that an answer has left out because it is too long; undefined for a whole answer.
   * It is the header `Link`.
   */
  rest?(answer: unknown, parts: Parts): string | undefined;
  /**
   * The preferences of the route (`Prefer: return=all`), each with the variable that becomes true.
   */
  readonly preferences?: Readonly<Record<string, string>>;
  /**
   * The operation of `Prefer: respond-async`, which takes the same body and is answered with 202: the work is accepted
   * and done later.
   */
  readonly accepts?: string;
  /**
   * Keys, at any depth of the answer, that the published interface does not have, where the graph has no types for
   * them. An answer with one is refused unless the client prefers extra keys: without it the rest has another meaning.
   */
  readonly extraKeys?: readonly string[];
  /** The notice of an endpoint that callers should leave. Its answers have it as headers, and OpenAPI marks it. */
  readonly deprecated?: Deprecation;
  /** Describes the endpoint, where the description of the operation's field is about something else. */
  readonly description?: string;
  /**
   * The path of the answer's object in the document, such as `body.invoice`. Its version is the answer's `ETag`, and
   * a PUT takes `If-Match`.
   */
  readonly versioned?: string;
  /** Whether the body of a POST names an object whose absence is a 404. */
  readonly namesObject?: boolean;
  /** The parts of the endpoint that may be YAML; all is JSON when absent. */
  readonly yaml?: YamlOptions;
  /** The part of the body that is a document, which its description closes; none when absent. */
  readonly strict?: DocumentPart;
  /** Other media types that the body may have. */
  readonly mediaTypes?: MediaTypes;
  /** Largest body in bytes; 1 MiB when absent. */
  readonly limitBytes?: number;
}

/** A documented endpoint: a URL in front of one GraphQL operation. */
export interface Route extends RouteOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, with `:name` for what varies. */
  readonly path: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The operation's fields, whose aliases are the keys of the answer; `body` is the answer itself, also in a payload. */
  readonly fields: readonly FieldNode[];
  /** The route for clients that prefer an answer before the work is done. */
  readonly later?: Route;
  /** The route for clients that prefer extra keys, where it has any. */
  readonly whole?: Whole;
}

/** A route with its extra keys; `marked` shows which they are, for the description. */
interface Whole extends Route {
  readonly marked: DocumentNode;
}

/** A route and those that take its place by a preference. */
export const formsOf = (route: Route): readonly Route[] =>
  [route, route.later, route.whole].filter((one) => one !== undefined);

export const get = (path: string, operation: string, options?: RouteOptions) =>
  route('GET', path, operation, options);
export const post = (path: string, operation: string, options?: RouteOptions) =>
  route('POST', path, operation, options);
export const put = (path: string, operation: string, options?: RouteOptions) =>
  route('PUT', path, operation, options);
export const del = (path: string, operation: string, options?: RouteOptions) =>
  route('DELETE', path, operation, options);

interface ListOptions extends RouteOptions {
  /** The name of the operation, where another route has the usual one. */
  readonly operationName?: string;
}

/**
 * A list in its envelope: `data`, `hasMore`, `total`, `currentCursor`, `nextCursor`. Its conditions are query
 * parameters, and `sort` is its order.
 */
export function list(
  path: string,
  field: string,
  fragment: Fragment,
  { operationName = `List${fragment.name}s`, ...options }: ListOptions = {},
) {
  const operation = /* GraphQL */ `
    query ${operationName}(
      $limit: Int
      $cursor: String
      $where: ${fragment.type}Where
      $sort: ${fragment.type}Order
    ) {
      body: ${field}(first: $limit, after: $cursor, where: $where, orderBy: $sort) {
        data: nodes { ...${fragment.name} }
        ${pageSelection}
        total: totalCount
      }
    }
    ${fragment}
  `;
  return get(path, operation, options);
}

/** One record by the id in its path, under its key: `one('/alerts/:id', { alert })`. */
export function one(path: string, selected: Selected, options?: RouteOptions) {
  const [[field, fragment] = []] = Object.entries(selected);
  if (!field || !fragment) throw new Error(`${path} selects nothing`);
  const operation = /* GraphQL */ `
    query Get${field.replace(/^./, (letter) => letter.toUpperCase())}($id: ID!) {
      ${field}(id: $id) { ...${fragment.name} }
    }
    ${fragment}
  `;
  return get(path, operation, options);
}

function route(
  method: Route['method'],
  path: string,
  source: string,
  options: RouteOptions = {},
): Route {
  const { accepts, limitBytes } = options;
  const marked = documentOf(source);
  const known = source.includes('@extra');
  return {
    ...routeOf(method, path, known ? withoutExtras(marked) : marked, options),
    ...(accepts !== undefined && {
      later: route(method, path, accepts, limitBytes === undefined ? {} : { limitBytes }),
    }),
    ...(known && { whole: { ...routeOf(method, path, withExtras(marked), options), marked } }),
  };
}

function routeOf(
  method: Route['method'],
  path: string,
  plain: DocumentNode,
  options: RouteOptions,
): Route {
  const { versioned, headers } = options;
  const document = versioned ? withVersion(plain, versioned, method === 'PUT') : plain;
  const operation = getOperationAST(document);
  if (!operation?.name) throw new Error(`${method} ${path} needs exactly one named operation`);
  const fields = operation.selectionSet.selections.filter(({ kind }) => kind === Kind.FIELD);
  return {
    method,
    path,
    document,
    operation,
    fields: fields as FieldNode[],
    ...options,
    ...(versioned && { headers: { ...headers, ETag: versionPath(versioned) } }),
  };
}
