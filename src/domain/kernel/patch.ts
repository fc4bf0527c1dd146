/**
 * Applies the changes of a caller. Null and absent both leave a field as it is, since the API does not distinguish
 * them on input. An empty text clears a field.
 */
export function patch<T extends object, K extends keyof T>(
  stored: T,
  changes: { readonly [Key in K]?: T[Key] | null | undefined },
): T {
  for (const [key, value] of Object.entries(changes)) {
    if (value != null) stored[key as K] = value as T[K];
  }
  return stored;
}
