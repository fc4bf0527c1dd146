import { type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import type { Findings, Place } from './reader.ts';
import type { Parts } from './variables.ts';

/**
 * Fields of every record that the service writes. A body may repeat them, as an answer has them; the tenant is compared
 * with that of the API key.
 */
const ofRecords: ReadonlySet<string> = new Set([
  ...['organizationId', 'livemode', 'pricingModelId'],
  ...['createdAt', 'updatedAt', 'createdByCommit', 'updatedByCommit', 'version'],
]);

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
}

/**
 * Finds the fields of a body that its operation does not have, so that none is ignored. A field that is null is absent.
 * `fields` are the variables that the body fills.
 */
export function findUnknownFields(
  fields: readonly Variable[],
  { body, path }: Pick<Parts, 'body' | 'path'>,
  findings: Findings,
) {
  const whole = fields.find(({ name }) => name === 'input');
  if (whole) return findUnknown(whole.type, body, undefined, findings);
  const byName = new Map(fields.map(({ name, type }) => [name, type]));
  for (const [key, value] of Object.entries(body)) {
    const type = byName.get(key);
    if (type) findUnknown(type, value, { key }, findings);
    else if (path[key] !== value) addUnknown(key, value, [...byName.keys()], undefined, findings);
  }
}

function findUnknown(
  type: GraphQLInputType,
  value: unknown,
  above: Place | undefined,
  findings: Findings,
) {
  if (isNonNullType(type)) return findUnknown(type.ofType, value, above, findings);
  if (findings.areEnough || typeof value !== 'object' || value === null) return;
  if (isListType(type)) {
    if (!Array.isArray(value)) return;
    for (const [key, item] of value.entries())
      findUnknown(type.ofType, item, { above, key }, findings);
  } else if (isInputObjectType(type) && !Array.isArray(value)) {
    const fields = type.getFields();
    const { repeats = {} } = type.extensions;
    for (const [key, field] of Object.entries(value)) {
      const known = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (known) findUnknown(known.type, field, { above, key }, findings);
      else if (!Object.hasOwn(repeats, key)) {
        addUnknown(key, field, Object.keys(fields), above, findings);
      } else if (repeats[key] !== null && repeats[key] !== field) {
        findings.add({ above, key }, `must be ${repeats[key]}`, 'MISMATCH');
      }
    }
  }
}

function addUnknown(
  key: string,
  value: unknown,
  names: readonly string[],
  above: Place | undefined,
  findings: Findings,
) {
  if (value == null || ofRecords.has(key)) return;
  const message = `is not a field here, where there are ${names.join(', ') || 'none'}`;
  findings.add({ above, key }, message, 'NOT_ALLOWED');
}
