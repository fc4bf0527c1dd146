/** The further billing periods of a pause: none begins, or they are charged as before. */
export const pauseBillings = ['nothing', 'keeps'] as const;

/** Whether a paused subscription grants its features. */
export const pauseEntitlements = ['off', 'on'] as const;
