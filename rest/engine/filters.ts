import {
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { entryForm, readEntries } from './entries.ts';
import { type Findings, type Read, readerOf } from './reader.ts';

/** The variable of a list's conditions, which query parameters fill one by one. */
export const conditions = 'where';

/** A query parameter that is one condition of a list. */
export interface Filter {
  /** The name of the parameter, such as `customerId` or `createdAtFrom`. */
  readonly name: string;
  /** The path of the condition in the graph's argument, such as `customer` and `in`. */
  readonly path: readonly [field: string, condition?: string];
  readonly type: GraphQLInputType;
  readonly description: string;
  /** Whether the parameter takes several values, of which a record must have one. */
  readonly isChoice: boolean;
  /** Whether the parameter is `name[key]=value`, once for each entry that a record must have. */
  readonly isEntries: boolean;
  readonly read: Read;
}

/** The largest number of values of one parameter. */
export const mostValues = 100;

const capital = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());

/** The filters of a list, drawn from the type of its argument `where`; `taken` are names of other parameters. */
export function filtersOf(type: GraphQLInputType, taken: ReadonlySet<string>): readonly Filter[] {
  if (!isInputObjectType(type)) return [];
  return Object.values(type.getFields())
    .flatMap(ofField)
    .filter(({ name }) => !taken.has(name));
}

function ofField(field: GraphQLInputField): Filter[] {
  const { name, type } = field;
  if (isListType(type)) return [entriesOf(field)];
  if (!isInputObjectType(type)) return [filterOf(field, name, [name], type)];
  const { is, contains, from, to, min, max, currency } = type.getFields();
  const part = (condition: GraphQLInputField | undefined) =>
    condition
      ? [
          filterOf(
            field,
            name + capital(condition.name),
            [name, condition.name],
            condition.type,
            condition,
          ),
        ]
      : [];
  if (is) return [...choiceOf(field, is), ...part(contains)];
  return [from, to, currency, min, max].flatMap(part);
}

function entriesOf(field: GraphQLInputField): Filter {
  const { name } = field;
  const form = `Example: \`${name}[plan]=pro\`. Numbers, \`true\` and \`false\` are values of their type, and other values are text; \`${name}[seats]="5"\` is the text \`5\`.`;
  const filter = filterOf(field, name, [name], field.type);
  return { ...filter, isEntries: true, description: `${filter.description} ${form}` };
}

function choiceOf(field: GraphQLInputField, is: GraphQLInputField): Filter[] {
  const isId = getNamedType(is.type).name === 'ID' && !/^id$|Id$/.test(field.name);
  const filter = filterOf(
    field,
    isId ? `${field.name}Id` : field.name,
    [field.name, 'in'],
    is.type,
  );
  const [first, second] = isEnumType(is.type) ? is.type.getValues() : [];
  const example = first && second ? `: \`${filter.name}=${first.name},${second.name}\`` : '';
  const values = `Several values are alternatives${example}. At most ${mostValues}.`;
  return [{ ...filter, isChoice: true, description: `${filter.description} ${values}` }];
}

function filterOf(
  field: GraphQLInputField,
  name: string,
  path: Filter['path'],
  type: GraphQLInputType,
  condition?: GraphQLInputField,
): Filter {
  const texts = [field.description, condition?.description, exampleOf(name, type, condition)];
  const description = texts.filter(Boolean).join(' ');
  return {
    name,
    path,
    type,
    description,
    isChoice: false,
    isEntries: false,
    read: readerOf(type, undefined),
  };
}

/** An example of a value, where the type alone does not show it. */
function exampleOf(name: string, type: GraphQLInputType, condition: GraphQLInputField | undefined) {
  const typeName = getNamedType(type).name;
  if (typeName === 'Timestamp') return `Example: \`${name}=2026-01-01T00:00:00Z\`.`;
  if (condition?.name === 'contains') return `Example: \`${name}=ada\`.`;
  return typeName === 'SafeInt' || typeName === 'Decimal' ? `Example: \`${name}=1000\`.` : '';
}

/** Reads the filters of a query as the argument `where`; undefined where it has none. */
export function readFilters(
  filters: readonly Filter[],
  query: URLSearchParams,
  findings: Findings,
): Record<string, unknown> | undefined {
  const where: Record<string, Record<string, unknown> | unknown> = {};
  for (const filter of filters) {
    if (filter.isEntries) {
      const entries = readEntries(filter.name, query, findings);
      if (entries) where[filter.path[0]] = entries;
      continue;
    }
    const texts = query.getAll(filter.name);
    if (texts.length === 0) continue;
    const [field, condition] = filter.path;
    const value = filter.isChoice
      ? choice(filter, texts, findings)
      : single(filter, texts, findings);
    if (!condition) where[field] = value;
    else if (!filter.isChoice) where[field] = { ...(where[field] as object), [condition]: value };
    else where[field] = { ...(where[field] as object), ...(value as object) };
  }
  return Object.keys(where).length > 0 ? where : undefined;
}

const noZero = 'must not contain the character U+0000';

/** Texts may contain commas, so only ids and enums are separated by them. */
function choice({ name, type, read }: Filter, texts: readonly string[], findings: Findings) {
  const isText = getNamedType(type).name === 'String';
  const values = texts.flatMap((text) => (isText ? [text] : text.split(','))).filter(Boolean);
  if (texts.some((text) => text.includes('\0'))) findings.add({ key: name }, noZero);
  if (values.length === 0) findings.add({ key: name }, 'must not be empty');
  if (values.length > mostValues) {
    findings.add(
      { key: name },
      `must be at most ${mostValues} values, and is ${values.length}`,
      'TOO_LONG',
    );
    return {};
  }
  const [first, ...others] = values.map((value) => read(value, { key: name }, findings));
  return others.length === 0 ? { is: first } : { in: [first, ...others] };
}

function single({ name, type, read }: Filter, texts: readonly string[], findings: Findings) {
  const [text = '', another] = texts;
  if (text.includes('\0')) return findings.add({ key: name }, noZero);
  if (another !== undefined) return findings.add({ key: name }, 'must be one value');
  return read(fromText(text, getNamedType(type).name), { key: name }, findings);
}

/** A value of a query, which has texts only: true and false, and milliseconds as digits. */
export function fromText(text: string, typeName: string): unknown {
  if (typeName === 'Boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (typeName !== 'Timestamp') return text;
  // A query has a space for each plus sign that is not encoded.
  return /^-?\d{1,16}$/.test(text)
    ? Number(text)
    : text.replace(/^(\S{1,20}T\S{1,20}) (\d\d:\d\d)$/, '$1+$2');
}

/** The names that a list's parameters have in its description and in refusals. */
export const parameterName = ({ name, isEntries }: Pick<Filter, 'name' | 'isEntries'>) =>
  isEntries ? entryForm(name) : name;

/** The parameter that each condition in the graph's words comes from, for refusals. */
export const parametersByPath = (filters: readonly Filter[]): Record<string, string> =>
  Object.fromEntries(
    filters.flatMap(({ name, path: [field, condition], isChoice, isEntries }) =>
      [...(isChoice ? ['is', 'in'] : [condition])].map((last) => [
        [conditions, field, ...(last ? [last] : [])].join('.'),
        parameterName({ name, isEntries }),
      ]),
    ),
  );
