/** The condition on the invoices that a customer sees: no drafts, void or uncollectible ones. */
export const shownToCustomers = { status: { $nin: ['draft', 'void', 'uncollectible'] } } as const;
