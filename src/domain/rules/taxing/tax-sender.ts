/** A request to a tax service, which the sender signs. */
export interface TaxMessage {
  readonly organizationId: string;
  readonly url: string;
  /** Signs the request by Standard Webhooks. */
  readonly secret: string;
  readonly livemode: boolean;
  /** Equal questions have equal ids. */
  readonly id: string;
  readonly body: string;
}

/** The last answer of a tax service. */
export interface TaxAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Sends a request, again where the service does not answer or fails, and reads the whole answer. Errors: with a message
 * that callers may read.
 */
export type SendTaxMessage = (message: TaxMessage) => Promise<TaxAnswer>;

let sender: SendTaxMessage = async () => {
  throw new Error('this process sends no requests to tax services');
};

/** Sets how this process reaches tax services. */
export function useTaxSender(given: SendTaxMessage) {
  sender = given;
}

/** Sends a request as the process is set up. */
export const sendTaxMessage: SendTaxMessage = (message) => sender(message);
