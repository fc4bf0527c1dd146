import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type GraphQLSchema, getIntrospectionQuery, introspectionFromSchema } from 'graphql';
import { root } from '#root';
import { type DashboardFile, type DashboardFiles, dashboardIn } from '../http/dashboard-files.ts';

/** The graph as it is printed. */
const printed = path.join(root, 'schema/schema.graphql');
const longestQuery = 20_000;
/** The nesting of types that tools ask for is at most 9 deep. */
const deepestTypes = 12;

/** The answer to a query of the graph without a key; undefined for any query that needs one. */
export type Introspect = (
  query: unknown,
  acceptedEncodings: string,
) => Promise<DashboardFile> | undefined;

/**
 * Answers the introspection queries of known tools from one prepared text, so that they show the graph without a key.
 * It is for development only; the graph is in the repository anyway. The text has all that any of them asks for. No
 * query is parsed or executed.
 */
export function introspect(
  schema: GraphQLSchema,
  files: DashboardFiles = dashboardIn(),
): Introspect {
  let name: Promise<string> | undefined;
  let made: DashboardFile | undefined;
  return (query, acceptedEncodings) => {
    if (typeof query !== 'string' || query.length > longestQuery) return undefined;
    if (normal(query) !== usual()) return undefined;
    return prepared(acceptedEncodings);
  };

  /** The text of the build; one that is made here, where the build has none for the present graph. */
  async function prepared(acceptedEncodings: string): Promise<DashboardFile> {
    name ??= readFile(printed).then(introspectionFile);
    const built = await files.prepared(await name, acceptedEncodings);
    if (built) return built;
    made ??= { content: Buffer.from(introspectionText(schema)), encoding: undefined };
    return made;
  }
}

/** The result of the introspection of a graph, with all that a tool may ask for, as JSON. */
export const introspectionText = (schema: GraphQLSchema): string =>
  JSON.stringify({ data: introspectionFromSchema(schema) });

/** The name of the file that the build writes for a printed graph. Another graph has another name. */
export const introspectionFile = (graph: string | Buffer): string =>
  `introspection-${createHash('sha256').update(graph).digest('hex').slice(0, 16)}.json`;

let canonical: string | undefined;
const usual = () => (canonical ??= normal(getIntrospectionQuery({ typeDepth: 1 })));

/** Parts that some tools ask for and others do not, and names that they choose. */
const optional =
  /\b(?:description|specifiedBy[Uu][Rr][Ll]|isRepeatable|isOneOf|isDeprecated|deprecationReason)\b|\( *includeDeprecated *: *true *\)/g;

/** An introspection query without what differs between tools: white space, options, names, and the depth of types. */
function normal(query: string): string | undefined {
  if (!/^[\w\s{}():.,]*$/.test(query)) return undefined;
  let text = query
    .replace(/[\s,]+/g, ' ')
    .replace(optional, '')
    .replace(/ +/g, ' ')
    .replace(/ ?([{}]|\.{3}) ?/g, '$1')
    .replace(/\bname kind\b/g, 'kind name')
    .replace(/\b(query|mutation|subscription)Type\{kind name\}/g, '$1Type{name}')
    .replace(/^ ?query \w+/, 'query')
    .trim();
  for (let depth = 0; depth < deepestTypes; depth++) {
    text = text.replace(/ ?ofType\{kind name\}/g, '');
  }
  return text;
}
