import { type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import type { Findings, Place } from './reader.ts';

/**
 * How much of a body is a document that people write: all of it, or what is below the first level of its objects. A
 * field that such a document does not have is refused, since it is misspelt.
 */
export type DocumentPart = 'all' | 'nested';

/** The fields that every body may have; they are compared with those of the API key. */
const ofTenant = new Set(['organizationId', 'livemode', 'pricingModelId']);

const notText = 'String cannot represent a non string value: ';

/** Finds the fields that a document does not have. A text without quotes is refused with the advice to quote it. */
export function checkDocument(
  type: GraphQLInputType,
  value: unknown,
  place: Place | undefined,
  findings: Findings,
  part: DocumentPart,
) {
  for (const [index, issue] of findings.issues.entries()) {
    if (!issue.message.startsWith(notText) || issue.message.endsWith(quoted)) continue;
    findings.issues[index] = { ...issue, message: `${issue.message}${quoted}` };
  }
  findUnknown(type, value, place, findings, part === 'nested');
}

const quoted = ': put the text in quotes';

function findUnknown(
  type: GraphQLInputType,
  value: unknown,
  above: Place | undefined,
  findings: Findings,
  takesOthers = false,
) {
  if (isNonNullType(type)) return findUnknown(type.ofType, value, above, findings, takesOthers);
  if (findings.areEnough || typeof value !== 'object' || value === null) return;
  if (isListType(type)) {
    if (!Array.isArray(value)) return;
    for (const [key, item] of value.entries())
      findUnknown(type.ofType, item, { above, key }, findings);
  } else if (isInputObjectType(type)) {
    const fields = type.getFields();
    for (const [key, field] of Object.entries(value)) {
      const known = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (known) findUnknown(known.type, field, { above, key }, findings);
      else if (!takesOthers && !ofTenant.has(key)) {
        const message = `is not a field here, where there are ${Object.keys(fields).join(', ')}`;
        findings.add({ above, key }, message, 'NOT_ALLOWED');
      }
    }
  }
}
