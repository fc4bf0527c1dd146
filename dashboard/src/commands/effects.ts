/** The changes that a command would make, as a dry run lists them. */
export interface Effects {
  readonly invoices: readonly Record<string, unknown>[];
  readonly lineItems: readonly Record<string, unknown>[];
  readonly charges: readonly Record<string, unknown>[];
  readonly entitlements: readonly Record<string, unknown>[];
  readonly events: readonly {
    readonly type: string;
    readonly objectType: string;
    readonly objectId: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
  readonly catalog?: object;
}

const none: Effects = { invoices: [], lineItems: [], charges: [], entitlements: [], events: [] };

/** The effects in the extensions of an answer. */
export const effectsOf = (extensions: Readonly<Record<string, unknown>>): Effects => ({
  ...none,
  ...((extensions.effects as Partial<Effects> | undefined) ?? {}),
});
