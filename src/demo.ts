import { readConfig } from '#config';
import { failTool } from '#server/tool-failure.ts';
import { parseDemoArguments, usage } from './demo/arguments.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

try {
  const request = parseDemoArguments(process.argv.slice(2));
  if (request.command === 'help') process.stdout.write(usage);
  else {
    const config = readConfig();
    // Loaded only now, so that bad arguments are refused at once.
    const { runDemo } = await import('./demo/run-demo.ts');
    // biome-ignore lint/style/noProcessEnv: an address in the environment serves all tools at once
    const { URL: publicUrl } = process.env;
    await runDemo(request, publicUrl ? { ...config, publicUrl } : config, stop.signal);
  }
} catch (error) {
  failTool(error, usage);
}
