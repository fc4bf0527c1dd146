/**
 * Applies the changes of a caller to fields that always have a value: null and absent both leave a field as it is.
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

/** Applies the changes of fields that may be empty: null empties a field, and an absent one leaves it as it is. */
export function patchNullable<T extends object, K extends keyof T>(
  stored: T,
  changes: { readonly [Key in K]?: T[Key] | null | undefined },
): T {
  for (const [key, value] of Object.entries(changes)) {
    if (value !== undefined) stored[key as K] = value as T[K];
  }
  return stored;
}
