import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import {
  earliestInstant,
  instantOf,
  isInstant,
  latestInstant,
} from '#domain/kernel/inputs/inputs.ts';
import {
  decimalPlaces,
  decimalText,
  exactText,
  jsonNumber,
  unitsOf,
} from '#domain/kernel/values/decimal.ts';
import { type EventType, eventTypes } from '#domain/model/platform/event-types.ts';
import { builder } from './builder.ts';

/**
 * Parses a literal, and has a refusal name its place in the document. `kinds` are the literals that the scalar takes;
 * others are refused like an undefined value.
 */
const literal =
  <T>(parse: (value: unknown) => T, kinds?: readonly Kind[]) =>
  (node: ValueNode, variables?: Record<string, unknown> | null): T => {
    try {
      const isTaken = kinds === undefined || kinds.includes(node.kind);
      return parse(isTaken ? valueFromASTUntyped(node, variables) : undefined);
    } catch (error) {
      throw error instanceof GraphQLError
        ? new GraphQLError(error.message, { nodes: node })
        : error;
    }
  };

builder.scalarType('Timestamp', {
  specifiedByURL: 'https://tc39.es/ecma262/#sec-time-values-and-time-range',
  description:
    'A point in time: integer milliseconds since 1970-01-01T00:00:00Z, in the years 1 to 9999. Input may also be an ISO 8601 date-time with its zone, such as `2026-01-31T10:00:00Z` or `2026-01-31T11:00:00+01:00`. Input may also be a date, which means midnight UTC.',
  serialize: (at) => at.getTime(),
  parseValue: parseTimestamp,
  parseLiteral: literal(parseTimestamp),
  extensions: {
    jsonSchema: {
      type: 'integer',
      format: 'int64',
      minimum: earliestInstant,
      maximum: latestInstant,
      examples: [Date.parse('2026-01-31T10:00:00Z')],
    },
  },
});

function parseTimestamp(value: unknown): Date {
  const milliseconds = typeof value === 'string' ? instantOf(value) : value;
  if (isInstant(milliseconds)) return new Date(milliseconds);
  throw new GraphQLError(
    'must be integer milliseconds since 1970, or an existing date-time in ISO 8601 with its zone, such as 2026-01-31T10:00:00Z, in the years 1 to 9999',
  );
}

builder.scalarType('SafeInt', {
  specifiedByURL: 'https://tc39.es/ecma262/#sec-number.issafeinteger',
  description:
    'A whole number from -9007199254740991 to 9007199254740991. Money is in minor units, such as cents.',
  serialize: (value) => value,
  parseValue: parseSafeInt,
  parseLiteral: literal(parseSafeInt, [Kind.INT]),
  extensions: {
    jsonSchema: {
      type: 'integer',
      format: 'int64',
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [2000],
    },
  },
});

function parseSafeInt(value: unknown): number {
  if (!Number.isSafeInteger(value)) {
    throw new GraphQLError('must be a whole number from -9007199254740991 to 9007199254740991');
  }
  return value as number;
}

builder.scalarType('Decimal', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
  description: `An exact decimal of at most ${decimalPlaces} places. Input is a number of at most 15 digits, a whole number up to 9007199254740991, or a text such as "0.1". Output is a number with all digits.`,
  serialize: (value) => jsonNumber(value),
  parseValue: parseDecimal,
  parseLiteral: (node) =>
    literal(() => parseDecimal(isNumeric(node) ? node.value : undefined))(node),
  extensions: { jsonSchema: { type: 'number' } },
});

// The text of a number, since its value would lose digits.
const isNumeric = (node: ValueNode) =>
  node.kind === Kind.INT || node.kind === Kind.FLOAT || node.kind === Kind.STRING;

const decimalPattern = new RegExp(`^-?\\d{1,29}(\\.\\d{1,${decimalPlaces}})?$`);

function parseDecimal(value: unknown): string {
  const text = typeof value === 'number' ? exactText(value) : value;
  // «007.50» is what «7.5» is, and is kept and answered as that.
  if (typeof text === 'string' && decimalPattern.test(text)) return decimalText(unitsOf(text));
  throw new GraphQLError(
    `must be a decimal of at most ${decimalPlaces} places and, unless it is given as text, 15 digits`,
  );
}

// GraphQL enum values cannot have dots, so the documented names make a scalar.
builder.scalarType('EventType', {
  specifiedByURL:
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#payload-structure',
  description: `An event type, one of \`${eventTypes.join(', ')}\`.`,
  serialize: (value) => value,
  parseValue: parseEventType,
  parseLiteral: literal(parseEventType),
  extensions: { jsonSchema: { type: 'string', enum: eventTypes } },
});

function parseEventType(value: unknown): EventType {
  const type = eventTypes.find((known) => known === value);
  if (!type) throw new GraphQLError(`must be one of ${eventTypes.join(', ')}`);
  return type;
}

builder.scalarType('Sequence', {
  specifiedByURL: 'https://tc39.es/ecma262/#sec-number.issafeinteger',
  description:
    'A position in the change feed, a whole number that only increases. To resume, read the events after the last one received.',
  serialize: (value) => value,
  parseValue: parseSafeInt,
  parseLiteral: literal(parseSafeInt, [Kind.INT]),
  extensions: { jsonSchema: { type: 'integer', format: 'int64', minimum: 0 } },
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  extensions: { jsonSchema: {} },
});
