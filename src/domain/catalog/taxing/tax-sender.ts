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

/** The statuses of an answer that concern its question alone. After others the service rests. */
export const statusesOfQuestion: readonly number[] = [200, 400, 422];

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

let patience = 30_000;

/**
 * Sets how this process reaches tax services, and how many milliseconds the due work of one organization may wait for
 * its service in a sweep. The rest of it waits longer, so that the work of others is reached.
 */
export function useTaxSender(given: SendTaxMessage, patienceMilliseconds: number) {
  sender = given;
  patience = patienceMilliseconds;
}

export const patienceOfSweeps = () => patience;

/** Sends a request as the process is set up. */
export const sendTaxMessage: SendTaxMessage = (message) => sender(message);
