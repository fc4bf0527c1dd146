import { parse, stringify } from 'yaml';
import { refuse } from './errors.ts';

/** The parts of a route that may be YAML. */
export interface YamlOptions {
  /** Whether the body may be YAML. */
  readonly body?: boolean;
  /** The key of the answer whose value is the YAML answer, for callers that accept YAML. */
  readonly answer?: string;
  /** The input type of the graph whose shape that value has. */
  readonly schema?: string;
}

const yamlType = /^(application|text)\/(x-)?yaml$/i;

/** YAML is read at once, so a body is smaller than JSON may be. */
const longestYaml = 1024 * 1024;

/** Whether a media type is one of YAML. */
export const isYaml = (contentType: string | null) =>
  yamlType.test(contentType?.split(';')[0]?.trim() ?? '');

interface Accepted {
  readonly type: string;
  readonly quality: number;
}

/** Whether an `Accept` header names YAML, and JSON not before it. */
export function prefersYaml(accept: string | null): boolean {
  const accepted = (accept ?? '').split(',').map(acceptedOf);
  const yaml = accepted.find(({ type }) => yamlType.test(type));
  const json = accepted.find(({ type }) => /^application\/([\w.-]+\+)?json$/i.test(type));
  return (yaml?.quality ?? 0) > 0 && (yaml?.quality ?? 0) >= (json?.quality ?? 0);
}

function acceptedOf(text: string): Accepted {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const quality = parameters.find((part) => /^q=/i.test(part))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
}

/** The JSON text of YAML text. Errors: BAD_REQUEST with the line of the mistake. */
export function jsonOfYaml(text: string): string {
  if (text.length > longestYaml) {
    throw refuse('BAD_REQUEST', `A body in YAML has at most ${longestYaml} characters: send JSON`);
  }
  try {
    return JSON.stringify(parse(text) ?? {});
  } catch (error) {
    throw refuse('BAD_REQUEST', `The body is not YAML: ${(error as Error).message}`);
  }
}

/** A value in YAML, without the fields that are null. */
export const yamlOf = (value: unknown): string =>
  stringify(value, (_key, field: unknown) => field ?? undefined, { lineWidth: 0 });
