type Benchmark = () => Promise<void>;

/**
 * Every benchmark. Each measures the service against a bare baseline, in one run, as a ratio. Its program is loaded
 * when it is asked for, so that `compare` can run one beside an older service that lacks what another one needs.
 */
export const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  'accepted-usage': async () => (await import('./accepted-usage.ts')).acceptedUsage,
  audience: async () => (await import('./audience.ts')).audience,
  'billing-runs': async () => (await import('./billing-runs.ts')).billingRuns,
  charging: async () => (await import('./charging.ts')).charging,
  claims: async () => (await import('./claims.ts')).claims,
  closing: async () => (await import('./closing.ts')).closing,
  commits: async () => (await import('./commits.ts')).commits,
  'large-claims': async () => (await import('./large-claims.ts')).largeClaims,
  customers: async () => (await import('./customers.ts')).customers,
  feed: async () => (await import('./feed.ts')).feed,
  'first-of-month': async () => (await import('./first-of-month.ts')).firstOfMonth,
  'get-usage-meter': async () => (await import('./get-usage-meter.ts')).getUsageMeter,
  history: async () => (await import('./history.ts')).history,
  import: async () => (await import('./import.ts')).importing,
  limits: async () => (await import('./limits.ts')).limits,
  'list-usage-meters': async () => (await import('./list-usage-meters.ts')).listUsageMeters,
  lists: async () => (await import('./lists.ts')).lists,
  live: async () => (await import('./live.ts')).live,
  'matrix-usage': async () => (await import('./matrix-usage.ts')).matrixUsage,
  pages: async () => (await import('./pages.ts')).pages,
  'test-clocks': async () => (await import('./test-clocks.ts')).testClocks,
  transitions: async () => (await import('./transitions.ts')).transitions,
  usage: async () => (await import('./usage.ts')).usage,
  'usage-statements': async () => (await import('./usage-statements.ts')).usageStatements,
  'usage-stream': async () => (await import('./usage-stream.ts')).usageStream,
  young: async () => (await import('./young.ts')).young,
};
