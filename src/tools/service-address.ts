import { UsageError } from './user-error.ts';

/** The variables by which callers find the service; `PORT` is its own setting. */
export interface ServiceEnvironment {
  readonly URL?: string | undefined;
  readonly PORT?: string | undefined;
  readonly KEY?: string | undefined;
}

/** A service and the key for calls of it. */
export interface CalledService {
  readonly url: URL;
  readonly key: string;
}

/** The address of the service: `URL`, else `PORT` of this machine, else port 4000. Errors: UsageError. */
export function serviceAddress({ URL: url, PORT: port }: ServiceEnvironment): URL {
  const address = url || `http://127.0.0.1:${port || 4000}`;
  if (URL.canParse(address)) return new URL(address);
  throw new UsageError(
    `--url or URL must be an address such as https://billing.example.com, not ${address}`,
  );
}

/** The service of a command line: its options `--url` and `--key`, else the environment. Errors: UsageError. */
export function calledService(
  given: { readonly url?: string | undefined; readonly key?: string | undefined },
  environment: ServiceEnvironment,
): CalledService {
  const url = serviceAddress({ ...environment, ...(given.url && { URL: given.url }) });
  const key = given.key || environment.KEY;
  if (key) return { url, key };
  throw new UsageError('An API key is missing: --key, or KEY in the environment');
}

/** A path of the service, also where a proxy serves it below a path. */
export const addressBelow = (service: URL, path: string): URL =>
  new URL(service.pathname.replace(/\/$/, '') + path, service);

/** The port for a receiver of webhooks: the one after the service's. */
export const receiverPort = (address: URL): number => Number(address.port || 80) + 1;
