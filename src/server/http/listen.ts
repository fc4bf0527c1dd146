import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { ConfigError } from '#config';

/** The address that a process listens on. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Opens the port, which the system chooses for 0, and returns it. Errors: ConfigError for HOST and PORT. */
export async function listen(server: Server, { host, port }: Address): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    throw new ConfigError(problem(error as NodeJS.ErrnoException, { host, port }));
  }
}

/**
 * Refuses an address on which this process cannot listen. A start asks before it makes a database, and opens the port when it
 * can serve requests. Errors: ConfigError for HOST and PORT.
 */
export async function refuseUsedPort(address: Address): Promise<void> {
  const server = createServer();
  await listen(server, address);
  server.close();
  await once(server, 'close');
}

function problem({ code, message }: NodeJS.ErrnoException, { host, port }: Address) {
  if (code === 'EADDRINUSE') {
    return `PORT ${port} of HOST ${host} is in use: stop what uses it, or set another PORT`;
  }
  if (code === 'EACCES') {
    return `PORT ${port} cannot be opened by this user: set a PORT of 1024 or more`;
  }
  return `HOST ${host} cannot be listened on (${message}): set an address of this machine, such as 127.0.0.1 or 0.0.0.0`;
}
