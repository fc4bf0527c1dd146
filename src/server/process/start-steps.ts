const everyMilliseconds = 5_000;

/** The steps of a start, one after the other. */
export interface StartSteps extends Disposable {
  /** Begins a step, which ends the one before. */
  begin(step: string): void;
}

/** Reports a step of a start that takes long, every few seconds: a start that waits states for what. */
export function startSteps(
  report: (line: string) => void,
  milliseconds = everyMilliseconds,
): StartSteps {
  let [step, began] = ['', 0];
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1_000);
    if (step) report(`The start is not done: ${step}, for ${seconds} s`);
  }, milliseconds).unref();
  return {
    begin(next) {
      [step, began] = [next, performance.now()];
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
