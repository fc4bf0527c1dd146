import { readConfig } from '#config';
import { endText } from '#server/process/end-text.ts';

/** After the drain, requests in flight have 10 s, and so has the embedded database. */
const longestStopMilliseconds = 25_000;

const stop = stopSignal();
try {
  const config = readConfig();
  limitStop(stop, longestStopMilliseconds + config.drainSeconds * 1_000);
  // Loaded only now, so that a bad setting is refused at once.
  const { serve } = await import('./serve.ts');
  await serve(config, stop);
  // A statement whose client is gone would delay the end of the process.
  process.exit();
} catch (error) {
  if (error !== stop.reason) fail(error);
}

/**
 * Aborts at the first SIGINT or SIGTERM. Any further one changes nothing: Ctrl-C under npm comes
 * twice, once from the terminal and once from npm.
 */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  process.on('SIGINT', () => controller.abort());
  process.on('SIGTERM', () => controller.abort());
  return controller.signal;
}

/** Work that hangs, for example on a folder that never answers, is not waited for without end. */
function limitStop(stop: AbortSignal, milliseconds: number) {
  stop.addEventListener('abort', () => {
    setTimeout(() => process.exit(1), milliseconds).unref();
  });
}

function fail(error: unknown) {
  process.stderr.write(`${endText(error)}\n`);
  process.exitCode = 1;
}
