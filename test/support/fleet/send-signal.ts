/** Sends a signal to a process, or to a group by its negative number. One that has ended meanwhile gets none. */
export function sendSignal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
