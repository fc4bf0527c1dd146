/**
 * Applies the changes that a caller has asked for. Null and absent both mean «leave it as it is»
 * (on input the API does not tell them apart), so a field is emptied with an empty text.
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
