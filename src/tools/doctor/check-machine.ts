import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { error, type Finding, ok, warning } from './finding.ts';

const mebibyte = 1024 ** 2;
const littleDisk = 2_048 * mebibyte;
const noDisk = 256 * mebibyte;
const littleMemory = 512 * mebibyte;
const fewFiles = 4_096;

/** Checks the machine: memory, open files, and the disk of the embedded database. */
export async function checkMachine(dataDir: string | undefined): Promise<Finding[]> {
  const memory = Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const findings = [
    ok(`Node ${process.versions.node} on ${os.type()} with ${os.availableParallelism()} cores`),
    memory < littleMemory
      ? warning(`${inMebibytes(memory)} of memory`, 'give the process 512 MiB or more')
      : ok(`${inMebibytes(memory)} of memory`),
  ];
  const files = await mostFiles();
  if (files !== undefined) {
    findings.push(
      files < fewFiles
        ? warning(
            `${files} open files at most: each client with live updates needs one`,
            'raise the limit to 65536 (ulimit -n, LimitNOFILE)',
          )
        : ok(`${files} open files at most`),
    );
  }
  return dataDir === undefined ? findings : [...findings, await checkDisk(dataDir)];
}

async function checkDisk(dataDir: string): Promise<Finding> {
  const folder = existsSync(dataDir) ? dataDir : path.dirname(path.resolve(dataDir));
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const found = `${inMebibytes(free)} free for DATA_DIR ${dataDir}`;
  if (free < noDisk) return error(found, 'free some space: PostgreSQL stops when the disk is full');
  return free < littleDisk ? warning(found, 'free some space before the disk is full') : ok(found);
}

/** The limit of Linux for this process; undefined on another system. */
async function mostFiles(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, text] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return text === undefined ? undefined : Number(text);
}

const inMebibytes = (bytes: number) => `${Math.floor(bytes / mebibyte)} MiB`;
