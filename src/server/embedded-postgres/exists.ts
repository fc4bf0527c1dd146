import fs from 'node:fs/promises';
import { isCode } from './lock-socket.ts';

/** Whether the path exists. Errors: any other failure, such as a lack of rights, which must not pass for a first start. */
export const exists = async (target: string): Promise<boolean> =>
  (await ifExists(fs.stat(target))) !== undefined;

/** The result of an operation on a path; undefined when the path does not exist. Errors: any other failure. */
export async function ifExists<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
