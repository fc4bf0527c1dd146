/** The access of an unpaid subscription: all that it granted before, that without new credits, or nothing. */
export const unpaidAccesses = ['keep', 'no_new_credits', 'none'] as const;
