/** The values of an enum in their order, each with a description of when it applies. */
export const described = <Value extends string>(
  values: readonly Value[],
  descriptions: Readonly<Record<Value, string>>,
) =>
  Object.fromEntries(
    values.map((value) => [value, { value, description: descriptions[value] }]),
  ) as { readonly [Each in Value]: { readonly value: Each; readonly description: string } };
