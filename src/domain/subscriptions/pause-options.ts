/** The further billing periods of a pause: none begins, or they are charged as before. */
export const pauseBillings = ['nothing', 'keeps'] as const;

/** Whether a paused subscription grants its features. */
export const pauseEntitlements = ['off', 'on'] as const;

/** The pauses in which a subscription grants access, as a condition of a list. */
export const grantsInPause = { status: 'paused', pauseEntitlements: 'on' } as const;
