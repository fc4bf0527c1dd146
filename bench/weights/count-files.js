import module from 'node:module';

/** Counts the files of code that a process loads, and prints their number at its end. */
let files = 0;
module.registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) files += 1;
    return next(url, context);
  },
});
process.on('exit', () => process.stderr.write(`files of code: ${files}\n`));
