import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './run.js';

/** Lets one process at a time work on the packages of a folder; the others wait until it has ended. */
export async function oneAtATime(folder, work) {
  const file = join(folder, '.installing');
  for (let told = false; !claim(file); told = true) {
    const owner = ownerOf(file);
    if (owner === undefined) rmSync(file, { force: true });
    else {
      if (!told) say(`Waiting for process ${owner}, which installs packages in ${folder}`);
      await sleep(500);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function claim(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new Error(`${dirname(file)} cannot be written: ${error.message}`);
  }
}

/** The process that has claimed the file; undefined when it has ended. */
function ownerOf(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // Between the creation of the file and its content there is no id yet.
    if (pid > 0) process.kill(pid, 0);
    return pid;
  } catch (error) {
    if (error.code === 'EPERM') return readFileSync(file, 'utf8');
    if (error.code === 'ESRCH' || error.code === 'ENOENT') return undefined;
    throw error;
  }
}
