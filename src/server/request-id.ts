import type { ServerResponse } from 'node:http';

const header = 'x-request-id';

/** An id for a request without one from its caller. */
export const newRequestId = () => crypto.randomUUID().slice(0, 8);

/** Marks a response before its request is read, so that every refusal has an id. */
export const markWithRequestId = (response: ServerResponse) =>
  response.setHeader(header, newRequestId());

/** The id of a response; undefined for one within the process. */
export const requestIdOn = (response: ServerResponse | undefined): string | undefined =>
  response?.getHeader(header) as string | undefined;
