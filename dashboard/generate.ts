import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as documentNodes from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import {
  buildSchema,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  parseType,
  TypeInfo,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

const here = import.meta.dirname;
/** Fragments that any operation may spread. */
const sharedFile = path.join(here, 'src/parts/shared-fragments.graphql');

/** The types of the scalars, as a JavaScript client reads them. */
const scalars = {
  Timestamp: 'number',
  SafeInt: 'number',
  Decimal: { input: 'number | string', output: 'number' },
  Sequence: 'number',
  JSON: 'unknown',
  ID: 'string',
  EventType: 'string',
};

const config = {
  scalars,
  useTypeImports: true,
  enumsAsTypes: true,
  skipTypename: true,
  inlineFragmentTypes: 'combine',
  onlyOperationTypes: true,
};

/** Writes the typed documents of each `.graphql` file beside it, the names of types without an id, and those of the mutations. */
export async function generateDocuments() {
  const text = await readFile(path.join(here, '..', 'schema', 'schema.graphql'), 'utf8');
  const schema = buildSchema(text);
  const shared = fragmentsOf(await parsed(sharedFile));
  for await (const name of glob('{src,client/src}/**/*.graphql', { cwd: here })) {
    const file = path.join(here, name);
    if (file !== sharedFile) await writeDocuments(schema, file, shared);
  }
  await writeEmbeddedTypes(schema);
  await writeMutationNames(schema);
}

const parsed = async (file: string) => parse(await readFile(file, 'utf8'), { noLocation: true });

const fragmentsOf = ({ definitions }: DocumentNode) =>
  definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);

/** The document with the shared fragments that it spreads and does not define. */
function withShared(
  document: DocumentNode,
  shared: readonly FragmentDefinitionNode[],
): DocumentNode {
  const spread = new Set<string>();
  visit(document, { FragmentSpread: ({ name }) => void spread.add(name.value) });
  const own = new Set(fragmentsOf(document).map(({ name }) => name.value));
  const added = shared.filter(({ name }) => spread.has(name.value) && !own.has(name.value));
  if (added.length === 0) return document;
  // A shared fragment may spread another one.
  return withShared({ ...document, definitions: [...document.definitions, ...added] }, shared);
}

/** The operations with the variables that they use. One that declares variables itself stays as it is. */
const withVariables = (document: DocumentNode, schema: GraphQLSchema): DocumentNode => ({
  ...document,
  definitions: document.definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION && !definition.variableDefinitions?.length
      ? { ...definition, variableDefinitions: variablesOf(definition, schema) }
      : definition,
  ),
});

/** A variable has the type of the argument, or of the input field, that it is the value of. */
function variablesOf(operation: OperationDefinitionNode, schema: GraphQLSchema) {
  const variables = new Map<string, VariableDefinitionNode>();
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Variable(variable) {
      const type = types.getInputType();
      if (!type) throw new Error(`Nothing has the type of $${variable.name.value}`);
      variables.set(variable.name.value, {
        kind: Kind.VARIABLE_DEFINITION,
        variable,
        type: parseType(String(type), { noLocation: true }),
      });
    },
  });
  visit(operation, visitor);
  return [...variables.values()];
}

async function writeDocuments(
  schema: GraphQLSchema,
  file: string,
  shared: readonly FragmentDefinitionNode[],
) {
  const document = withVariables(withShared(await parsed(file), shared), schema);
  const filename = file.replace(/\.graphql$/, '.generated.ts');
  const text = await codegen({
    filename,
    schema: undefined as never,
    schemaAst: schema,
    documents: [{ location: file, document }],
    config,
    plugins: [{ operations: {} }, { documentNodes: {} }],
    pluginMap: { operations, documentNodes },
  });
  await writeChanged(filename, text);
}

/** The cache stores an object without an id within the object that contains it. */
async function writeEmbeddedTypes(schema: GraphQLSchema) {
  const names = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !type.name.startsWith('__') && !type.getFields().id)
    .map(({ name }) => name);
  const text = `/** The types whose objects have no id. */\nexport const embeddedTypes: readonly string[] = ${JSON.stringify(names)};\n`;
  await writeChanged(path.join(here, 'client', 'src', 'embedded-types.generated.ts'), text);
}

/** Each button of a command names its mutation. */
async function writeMutationNames(schema: GraphQLSchema) {
  const names = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const text = `/** The names of all mutations. */\nexport type MutationName = ${names.map((name) => `'${name}'`).join(' | ')};\n`;
  await writeChanged(path.join(here, 'src', 'commands', 'mutations.generated.ts'), text);
}

/** An unchanged file keeps its time, so that nothing that watches it starts again. */
async function writeChanged(file: string, text: string) {
  const current = await readFile(file, 'utf8').catch(() => undefined);
  if (current !== text) await writeFile(file, text);
}

if (import.meta.main) await generateDocuments();
