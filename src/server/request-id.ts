import type { ServerResponse } from 'node:http';

const header = 'x-request-id';

/** An id for a request whose caller has not named one. */
export const newRequestId = () => crypto.randomUUID().slice(0, 8);

/** Marks an answer before its request is looked at, so that no refusal leaves without an id. */
export const markWithRequestId = (response: ServerResponse) =>
  response.setHeader(header, newRequestId());

/** The id that an answer is marked with; undefined for one within the process. */
export const requestIdOn = (response: ServerResponse | undefined): string | undefined =>
  response?.getHeader(header) as string | undefined;
