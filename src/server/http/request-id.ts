/** An id for a request without one from its caller. */
export const newRequestId = () => crypto.randomUUID().slice(0, 8);
