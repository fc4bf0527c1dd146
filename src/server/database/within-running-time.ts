const stepMilliseconds = 100;

/**
 * Resolves like `response`, or rejects once this process has waited for it so long while it was running. A moment in
 * which the process was busy counts as one step: the response may have arrived meanwhile, and is read first.
 */
export async function withinRunningTime<Response>(
  milliseconds: number,
  response: Promise<Response>,
): Promise<Response> {
  const limit = Promise.withResolvers<never>();
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
    if (steps * stepMilliseconds < milliseconds) return;
    limit.reject(new Error('The connection does not answer'));
  }, stepMilliseconds);
  try {
    return await Promise.race([response, limit.promise]);
  } finally {
    clearInterval(timer);
  }
}
