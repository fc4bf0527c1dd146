import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programUrl } from '#root';
import type { PdfResult, PdfWork } from './worker.ts';

const longestMilliseconds = 30_000;
const longestIdleMilliseconds = 60_000;
const mostMegabytes = 384;

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let last: Promise<unknown> = Promise.resolve();

/** A document from a thread, one at a time. The thread ends when it is idle. Errors: the reason. */
export function inThread(work: PdfWork): Promise<NonSharedBuffer> {
  const turn = last.then(() => rendered(work));
  // The caller of that turn gets the failure; the next one only waits.
  last = turn.catch(() => undefined);
  return turn;
}

async function rendered(work: PdfWork): Promise<NonSharedBuffer> {
  clearTimeout(idle);
  worker ??= started();
  worker.ref();
  try {
    const result = await resultOf(worker, work);
    if ('problem' in result) throw new Error(result.problem);
    return Buffer.from(result.bytes);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    worker?.unref();
    idle = setTimeout(stop, longestIdleMilliseconds).unref();
  }
}

async function resultOf(current: Worker, work: PdfWork): Promise<PdfResult> {
  const settled = new AbortController();
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(longestMilliseconds)]);
  const ended = once(current, 'exit', { signal }).then(() => {
    throw new Error('The thread of the document has ended');
  });
  try {
    current.postMessage(work);
    const [result] = await Promise.race([once(current, 'message', { signal }), ended]);
    return result;
  } finally {
    settled.abort();
  }
}

function started(): Worker {
  const thread = new Worker(programUrl('src/server/documents/pdf/worker.ts'), {
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  // A thread that fails between documents must not end the process.
  return thread
    .on('error', () => undefined)
    .on('exit', () => {
      if (worker === thread) worker = undefined;
    });
}

async function stop() {
  const ended = worker;
  worker = undefined;
  await ended?.terminate();
}
