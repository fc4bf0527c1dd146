/** The part of the page’s address behind the hash. */
export interface Settings {
  /** The address of the service, on another origin. */
  readonly url: string;
  /** A secret key that only reads, or a customer token. */
  readonly token: string;
  readonly transport: 'SSE' | 'WebSocket';
  /** The time that the page shows, since the test moves a test clock. */
  readonly now: number;
  readonly usageMeter: string;
  readonly customer: string;
  readonly other: string;
}
