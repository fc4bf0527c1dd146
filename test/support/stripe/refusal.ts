/** An answer of Stripe with an error. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: { readonly error: Record<string, unknown> };

  constructor(status: number, error: Record<string, unknown>) {
    super(String(error.message ?? error.code ?? status));
    this.status = status;
    this.body = { error: { message: `Refused: ${error.code ?? error.type}`, ...error } };
  }
}

export const invalidRequest = (message: string, more: Record<string, unknown> = {}, status = 400) =>
  new Refusal(status, { type: 'invalid_request_error', message, ...more });

export const missing = (kind: string, id: string | null, param = 'id') =>
  invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing', param }, 404);
