import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

const path = '/usr/bin:/bin';

/** A program that runs during the benchmark. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
}

/** Starts one of this project's programs and waits until it responds at `url`. */
export async function startProgram(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  probe: string,
): Promise<Program> {
  const child = spawn(process.execPath, [...process.execArgv, file, ...args], {
    env: { PATH: path, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await answering(probe, child);
  return { pid: child.pid ?? 0, [Symbol.asyncDispose]: () => end(child) };
}

/** A program that replies to messages, one at a time. */
export interface Worker extends AsyncDisposable {
  ask<Answer>(message: unknown): Promise<Answer>;
}

/** Starts one of this project's programs with a message channel. */
export function startWorker(file: string, args: readonly string[]): Worker {
  const child = fork(file, args, { env: { PATH: path } });
  return {
    async ask<Answer>(message: unknown) {
      child.send(message as object);
      const gone = new AbortController();
      const exited = once(child, 'exit', gone).then(([code]) => {
        throw new Error(`${file} has ended with ${code}`);
      });
      const [answer] = await Promise.race([once(child, 'message', gone), exited]);
      exited.catch(() => {});
      gone.abort();
      return answer as Answer;
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function answering(probe: string, child: ChildProcess) {
  for (let tries = 0; tries < 4000; tries++) {
    if (child.exitCode !== null) throw new Error(`A program ended with ${child.exitCode}`);
    const answer = await fetch(probe).catch(() => undefined);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing answers at ${probe}`);
}

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
