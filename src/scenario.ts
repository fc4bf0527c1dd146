import { failTool } from '#server/tool-failure.ts';
import { exitCodeOf, parseScenarioArguments, usage } from './scenario/arguments.ts';

try {
  const names = parseScenarioArguments(process.argv.slice(2));
  if (!names) process.stdout.write(usage);
  else {
    // Loaded only now, so that bad arguments are refused at once.
    const { runFiles } = await import('./scenario/run-files.ts');
    const tally = await runFiles(names);
    const { passed, failed, broken } = tally;
    const others = broken > 0 ? `, ${broken} broken` : '';
    process.stdout.write(`${passed} as expected, ${failed} with differences${others}\n`);
    process.exitCode = exitCodeOf(tally);
  }
} catch (error) {
  failTool(error, usage);
}
