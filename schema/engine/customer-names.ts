import {
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLField,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  GraphQLString,
  getNullableType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';

/** The argument that takes the caller's own id in the place of a customer's id. */
const own = 'customerExternalId';

/** Inputs that repeat the customer of a record, which does not change. */
const repeating: ReadonlySet<string> = new Set(['UpdateInvoiceInput']);

type Args = Readonly<Record<string, unknown>>;
type Inputs = readonly (GraphQLArgument | GraphQLInputField)[];

/** Where a mutation takes the id of a customer: among its arguments, or in the input object of one of them. */
interface Place {
  readonly within: string | undefined;
  readonly name: string;
  readonly isRequired: boolean;
}

/**
 * Lets every mutation that takes the id of a customer, as `customerId` or `customer`, take the caller's own id instead. So
 * no command needs a rule for it, and no mutation can lack it.
 */
export function namedCustomers(schema: GraphQLSchema): GraphQLSchema {
  const known = new Map<GraphQLInputObjectType, Place | undefined>();
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const places = placesIn(field, known);
    if (places.length === 0) continue;
    const { resolve = defaultFieldResolver } = field;
    field.resolve = async (source, args, session: Session, info) =>
      resolve(source, await withIds(session, places, args), session, info);
    for (const place of places) describe(field, place);
  }
  return schema;
}

function placesIn(
  field: GraphQLField<unknown, unknown>,
  known: Map<GraphQLInputObjectType, Place | undefined>,
): Place[] {
  const place = placeAmong(field.args, undefined);
  if (place) (field.args as GraphQLArgument[]).push(alternativeTo(place) as GraphQLArgument);
  const inner = field.args.flatMap(({ name, type }) => {
    const object = getNullableType(type);
    if (!isInputObjectType(object) || repeating.has(object.name)) return [];
    if (!known.has(object)) known.set(object, expanded(object));
    const found = known.get(object);
    return found ? [{ ...found, within: name }] : [];
  });
  return place ? [place, ...inner] : inner;
}

function expanded(object: GraphQLInputObjectType): Place | undefined {
  const place = placeAmong(Object.values(object.getFields()), object.name);
  if (place) object.getFields()[own] = alternativeTo(place) as GraphQLInputField;
  return place;
}

/** The id of a customer among inputs, which becomes optional; undefined where there is none or they name it already. */
function placeAmong(inputs: Inputs, within: string | undefined): Place | undefined {
  if (inputs.some(({ name }) => name === own)) return undefined;
  const found = inputs.find(
    ({ name, type }) =>
      (name === 'customerId' || name === 'customer') && getNullableType(type) === GraphQLID,
  );
  if (!found) return undefined;
  const isRequired = isNonNullType(found.type);
  found.type = getNullableType(found.type);
  const { description } = found;
  const link = description?.includes('; alternative to') ? ' and' : '; alternative to';
  found.description = `${description?.replace(/\.$/, '')}${link} \`${own}\`.`;
  return { within, name: found.name, isRequired };
}

const alternativeTo = ({ name }: Place) => ({
  name: own,
  type: GraphQLString,
  description: `Your own id of the customer; alternative to \`${name}\`.`,
  defaultValue: undefined,
  deprecationReason: undefined,
  extensions: {},
  astNode: undefined,
});

async function withIds(session: Session, places: readonly Place[], args: Args): Promise<Args> {
  const named: Record<string, unknown> = { ...args };
  for (const place of places) {
    const { within } = place;
    if (within === undefined) Object.assign(named, await withId(session, place, named));
    else if (named[within]) named[within] = await withId(session, place, named[within] as Args);
  }
  return named;
}

/** Errors: BAD_REQUEST for an unknown customer, for both names, and for none where one is required. */
async function withId(
  session: Session,
  { within, name, isRequired }: Place,
  input: Args,
): Promise<Args> {
  const at = (field: string) => (within === undefined ? field : `${within}.${field}`);
  const { [own]: externalId, ...others } = input;
  if (externalId == null) {
    if (isRequired && input[name] == null)
      throw invalid('REQUIRED', at(name), `is required unless ${own} is given`);
    return others;
  }
  if (input[name] != null) throw invalid('INVALID', at(name), `give either ${name} or ${own}`);
  // The command reads the customer anew, under its lock.
  const found = await session.em.findOne(
    Customer,
    { externalId: externalId as string, archived: false },
    { fields: ['id'], disableIdentityMap: true },
  );
  if (!found) throw invalid('NOT_FOUND', at(own), `Unknown customer ${externalId}`);
  return { ...others, [name]: found.id };
}

interface Ranges {
  readonly properties?: Record<string, Ranges>;
  readonly anyOf?: readonly Ranges[];
  choices?: readonly (readonly string[])[];
}

/** Writes the alternative into the description of the ranges of the field's arguments. */
function describe(
  { extensions }: GraphQLField<unknown, unknown>,
  { within, name, isRequired }: Place,
) {
  const ranges = extensions.ranges as Ranges | undefined;
  const at = within === undefined ? ranges : ranges?.properties?.[within];
  const object = at?.anyOf?.find(({ properties }) => properties) ?? at;
  if (!object) return;
  const { choices = [] } = object;
  const isKnown = choices.some((names) => names.includes(name));
  const extended = choices.map((names) => (names.includes(name) ? [...names, own] : names));
  if (isRequired || isKnown) object.choices = isKnown ? extended : [...choices, [name, own]];
}
