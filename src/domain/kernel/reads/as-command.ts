import { AsyncLocalStorage } from 'node:async_hooks';

const commands = new AsyncLocalStorage<true>();

/**
 * Runs a command that a customer token asked for. The command applies the catalog as it is, also where the customer
 * does not see it. Rows of other customers stay invisible.
 */
export const asCommand = <T>(work: () => T): T => commands.run(true, work);

/** Whether the statement belongs to such a command. */
export const isWithinCommand = () => commands.getStore() === true;
