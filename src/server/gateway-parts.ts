import type { CorsOrigins, OidcSettings, TracingSettings } from '#config';
import type { Limits } from '#limits';
import type { EventHub } from './feed/event-hub.ts';
import type { Readiness } from './health/readiness.ts';
import type { DashboardFiles } from './http/dashboard-files.ts';
import type { OriginRule } from './http/public-origin.ts';
import type { MetricsParts } from './metrics/use-metrics.ts';
import type { TrustedDocuments } from './operations/trusted-documents.ts';

/** The parts from which the gateway is made. */
export interface GatewayParts extends OriginRule, MetricsParts {
  readonly hub: EventHub;
  readonly production: boolean;
  readonly operationTimeLimitSeconds: number;
  /** The built dashboard; that of this repository when absent. */
  readonly dashboard?: DashboardFiles | undefined;
  /** The default limits when absent. */
  readonly limits?: Limits | undefined;
  /** The origins whose pages may call the service from a browser; all when absent. */
  readonly corsOrigins?: CorsOrigins | undefined;
  /** The documents that clients may name instead of sending their text; none when absent. */
  readonly trustedDocuments?: TrustedDocuments | undefined;
  /** Whether causes have the addresses of clients; false when absent. */
  readonly auditAddresses?: boolean | undefined;
  /** The identity provider with which operators sign in; none when absent. */
  readonly oidc?: OidcSettings | undefined;
  /** Whether webhooks may have addresses that are not public; false when absent. */
  readonly webhookAllowPrivate?: boolean | undefined;
  /** The sender of mails of live mode; absent while they are off. */
  readonly mailFrom?: string | undefined;
  /** Present where operations are traced. */
  readonly tracing?: TracingSettings | undefined;
  /** The duration from which a request is logged as slow; 1 second when absent. */
  readonly slowRequestMilliseconds?: number;
  /** The answer of `/ready`; without it, nothing is known. */
  readonly readiness?: Pick<Readiness, 'status' | 'isForeign'> &
    Partial<Pick<Readiness, 'details' | 'attend'>>;
}
