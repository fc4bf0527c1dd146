import { parseDocument, stringify } from 'yaml';

/**
 * The JSON text of YAML text. Merge keys (`<<`) are resolved. Errors: an error with the line of the mistake, also for
 * what YAML only warns of, such as an unknown tag.
 */
export function jsonTextOf(yaml: string): string {
  const document = parseDocument(yaml, { logLevel: 'error', merge: true, stringKeys: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw problem;
  const value: unknown = document.toJS();
  try {
    return JSON.stringify(value ?? {});
  } catch {
    throw new Error('An alias is within the value that it refers to');
  }
}

/** The YAML text of one key's value of JSON text, without the fields that are null. */
export const yamlTextOf = (json: string, key: string): string =>
  stringify(JSON.parse(json)[key], (_key, field: unknown) => field ?? undefined, { lineWidth: 0 });
