import { lazyPackage } from '#lazy-package';

const yaml = lazyPackage<typeof import('yaml')>('yaml');

/**
 * The JSON text of YAML text. Merge keys (`<<`) are resolved. Errors: an error with the line of the mistake, also for
 * what YAML only warns of, such as an unknown tag.
 */
export function jsonTextOf(text: string): string {
  const document = yaml().parseDocument(text, { logLevel: 'error', merge: true, stringKeys: true });
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
  yaml().stringify(JSON.parse(json)[key], (_key, field: unknown) => field ?? undefined, {
    lineWidth: 0,
  });
