import { readConfig } from '#config';
import { parseDemoArguments, usage } from '../tools/demo/arguments.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate demo` fills a business with a year of customers, and continues it. */
export const program: Program = {
  usage,
  async run(terminal) {
    const stop = terminal.stop();
    const request = parseDemoArguments(terminal.args);
    if (request.command === 'help') return void terminal.print(usage);
    const config = readConfig(terminal.environment);
    // Loaded only now, so that bad arguments are refused at once.
    const { runDemo } = await import('../tools/demo/run-demo.ts');
    const { URL: publicUrl } = terminal.environment;
    await runDemo(request, publicUrl ? { ...config, publicUrl } : config, { ...terminal, stop });
    return 0;
  },
};
