const stepMilliseconds = 100;

/**
 * Waits for a response of the database, but only for a number of milliseconds in which this process runs. A moment in
 * which the process is busy counts as one step: the response may have arrived meanwhile, and is read first. Errors:
 * those of the response, and one after the time.
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
