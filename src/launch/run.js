import { spawn } from 'node:child_process';

const windows = process.platform === 'win32';
// biome-ignore lint/style/noProcessEnv: npm names itself there, and its children need all of it
const environment = process.env;

/**
 * Runs npm in a folder, and returns its exit code. Its output goes to the standard error: a program may read the
 * output of a tool. Below npm it is the same npm; otherwise the one of the PATH, which is a script on Windows.
 */
export function runNpm(folder, args) {
  const { npm_execpath: own = '', npm_node_execpath: node = process.execPath } = environment;
  const options = { cwd: folder, stdio: ['inherit', 2, 2] };
  if (/npm-cli\.c?js$/.test(own)) return run(node, [own, ...args], options);
  return run(windows ? 'npm.cmd' : 'npm', args, { ...options, shell: windows });
}

/** Runs a program until it ends, passes signals on to it, and returns its exit code. Errors: it cannot be started. */
export function run(file, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, options);
    const pass = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    child.on('error', ({ message }) => reject(new Error(`${file} cannot be started: ${message}`)));
    child.on('exit', (code, signal) => {
      for (const name of signals) process.off(name, pass);
      resolve(code ?? (signal ? 1 : 0));
    });
  });
}

/** Prints a line for the person who starts a program. */
export const say = (line) => void process.stderr.write(`${line}\n`);
