/** The environment of the small tools of the service; `PORT` is the service's own setting. */
export interface ToolEnvironment {
  readonly URL?: string;
  readonly PORT?: string;
  readonly KEY?: string;
  readonly WEBHOOK_SECRET?: string;
}

// biome-ignore lint/style/noProcessEnv: an address and a key in the environment serve all tools at once
export const environment = process.env as ToolEnvironment;

/** The address of the service: `URL`, else `PORT` of this machine, else port 4000. */
export const serviceAddress = ({ URL: url, PORT: port }: ToolEnvironment = environment): URL =>
  new URL(url || `http://127.0.0.1:${port || 4000}`);

/** The port for a receiver of webhooks: the one after the service's. */
export const receiverPort = (address = serviceAddress()): number => Number(address.port || 80) + 1;
