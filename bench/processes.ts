import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Starts one of this project's programs and waits until it answers at `url`. */
export async function startProgram(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  probe: string,
): Promise<AsyncDisposable> {
  const child = spawn(process.execPath, [...process.execArgv, file, ...args], {
    env: { PATH: '/usr/bin:/bin', ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await answering(probe, child);
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function answering(probe: string, child: ChildProcess) {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`A program ended with ${child.exitCode}`);
    const answer = await fetch(probe).catch(() => undefined);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing answers at ${probe}`);
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
