import { type Issue, refuse } from '../engine/errors.ts';
import type { MediaTypes } from '../engine/route.ts';

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isInstant = (value: unknown) =>
  isText(value) &&
  /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/i.test(value as string) &&
  !Number.isNaN(Date.parse(value as string));
const isJson = (value: unknown) =>
  isText(value) && /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(value as string);

interface Attribute {
  readonly isRequired: boolean;
  readonly isValid: (value: unknown) => boolean;
  readonly rule: string;
}

const required = (isValid: Attribute['isValid'], rule: string) => ({
  isRequired: true,
  isValid,
  rule,
});
const optional = (isValid: Attribute['isValid'], rule: string) => ({
  isRequired: false,
  isValid,
  rule,
});

/** The attributes of a CloudEvent that a usage event has. */
const attributes: Readonly<Record<string, Attribute>> = {
  specversion: required((value) => value === '1.0', 'must be 1.0'),
  id: required(isText, 'must be a text'),
  source: required(isText, 'must be a text'),
  type: required(isText, 'must be a text'),
  subject: optional(isText, 'must be a text'),
  time: optional(isInstant, 'must be an instant such as 2026-12-23T10:00:00Z'),
  datacontenttype: optional(isJson, 'must be application/json'),
  dataschema: optional(isText, 'must be a text'),
  data: required(isObject, 'must be an object with the fields of a usage event'),
};

interface CloudEvent {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly time?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads a CloudEvent at a place of the body. Errors: BAD_REQUEST with an issue for each attribute. */
function cloudEventOf(sent: unknown, at: readonly number[]): CloudEvent {
  const issue = (code: Issue['code'], path: Issue['path'], rule: string): Issue => ({
    code,
    path,
    message: rule,
  });
  if (!isObject(sent)) throw invalid([issue('INVALID', at, 'must be a CloudEvent')]);
  const given = sent as Record<string, unknown>;
  const known = Object.keys(attributes).join(', ');
  const issues = [
    ...Object.keys(given)
      .filter((name) => !Object.hasOwn(attributes, name))
      .map((name) =>
        issue('NOT_ALLOWED', [...at, name], `is unknown: the attributes are ${known}`),
      ),
    ...Object.entries(attributes).flatMap(([name, { isRequired, isValid, rule }]) => {
      const value = given[name];
      if (value === undefined) return isRequired ? issue('REQUIRED', [...at, name], rule) : [];
      return isValid(value) ? [] : issue('INVALID', [...at, name], rule);
    }),
  ];
  if (issues.length > 0) throw invalid(issues);
  return given as unknown as CloudEvent;
}

/**
 * A usage event as a CloudEvent 1.0 in JSON: `data` has its fields. `source` and `id` together are its transaction id. Where
 * `data` does not name them, `type` is the slug of the usage meter, `subject` the subscription, and `time` the date.
 * Extension attributes are refused. Errors: BAD_REQUEST with the path of what is wrong.
 */
export const oneCloudEvent: MediaTypes = {
  'application/cloudevents+json': (sent) => ({ usageEvent: usageEventOf(sent, []) }),
};

/** The same for a list of CloudEvents. */
export const cloudEvents: MediaTypes = {
  'application/cloudevents-batch+json'(sent) {
    if (!Array.isArray(sent)) {
      throw invalid([{ code: 'INVALID', path: [], message: 'must be a list of CloudEvents' }]);
    }
    return { usageEvents: sent.map((one, place) => usageEventOf(one, [place])) };
  },
};

function usageEventOf(sent: unknown, at: readonly number[]) {
  const { id, source, type, subject, time, data } = cloudEventOf(sent, at);
  if (Object.hasOwn(data, 'transactionId')) {
    const path = [...at, 'data', 'transactionId'];
    const message = 'is made of source and id: leave it out';
    throw invalid([{ code: 'NOT_ALLOWED', path, message }]);
  }
  const names = (keys: readonly string[]) => keys.some((key) => Object.hasOwn(data, key));
  return {
    ...(!names(meterKeys) && { usageMeterSlug: type }),
    ...(subject !== undefined && !names(subscriptionKeys) && { subscriptionId: subject }),
    ...(time !== undefined && { usageDate: Date.parse(time) }),
    ...data,
    transactionId: `${source} ${id}`,
  };
}

const meterKeys = ['usageMeterSlug', 'usageMeterId', 'priceId', 'priceSlug'];
const subscriptionKeys = ['subscriptionId', 'customerId', 'customerExternalId'];

const invalid = (issues: readonly Issue[]) =>
  refuse('BAD_REQUEST', 'The CloudEvent is not valid', issues);
