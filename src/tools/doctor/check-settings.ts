import type { Config } from '#config';
import { error, type Finding, ok, warning } from './finding.ts';

const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);

/** Checks settings that can be read, but that do not fit together. */
export function checkSettings(config: Config): Finding[] {
  const findings: Finding[] = [];
  const { production, host, publicUrl, databaseUrl, metricsToken, drainSeconds, smtpUrl } = config;
  findings.push(ok(production ? 'Settings of production' : 'Settings of development'));
  if (!production && !isLoopback(host)) {
    findings.push(
      error(
        `HOST ${host} can be reached from other machines with NODE_ENV=development`,
        'set NODE_ENV=production, and put a proxy with TLS in front',
      ),
    );
  }
  if (production && publicUrl?.startsWith('http:')) {
    findings.push(
      warning(
        `PUBLIC_URL ${publicUrl} is not encrypted`,
        'use an https:// address, and a proxy with TLS',
      ),
    );
  }
  if (production && !databaseUrl) {
    findings.push(
      warning(
        'The embedded PostgreSQL keeps the data on this machine only',
        'make a backup each day (tollgate backup), or use a PostgreSQL with a standby (guide "Fail-over")',
      ),
    );
  }
  if (production && metricsToken === undefined) {
    findings.push(
      warning(
        'METRICS_TOKEN is not set, so Prometheus cannot read /metrics',
        'set it to 20 or more random characters',
      ),
    );
  }
  if (production && smtpUrl === undefined) {
    findings.push(
      warning(
        'SMTP_URL is not set, so customers get no mails in live mode',
        'set SMTP_URL and MAIL_FROM (guide "Mail"), or send your own by webhooks',
      ),
    );
  }
  if (production && drainSeconds === 0) {
    findings.push(
      warning(
        'DRAIN_SECONDS is 0: requests that a load balancer sends during a stop are refused',
        'leave DRAIN_SECONDS out',
      ),
    );
  }
  return findings;
}
