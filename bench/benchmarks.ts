type Benchmark = () => Promise<void>;

/**
 * Every benchmark. Each measures the service against a bare baseline, in one run, as a ratio. Its program is loaded
 * when it is asked for, so that `compare` can run one beside an older service that lacks what another one needs.
 */
export const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  'accepted-usage': async () => (await import('./measurements/accepted-usage.ts')).acceptedUsage,
  audience: async () => (await import('./measurements/audience.ts')).audience,
  'billing-runs': async () => (await import('./measurements/billing-runs.ts')).billingRuns,
  charging: async () => (await import('./measurements/charging.ts')).charging,
  claims: async () => (await import('./measurements/claims.ts')).claims,
  closing: async () => (await import('./measurements/closing.ts')).closing,
  commits: async () => (await import('./measurements/commits.ts')).commits,
  'large-claims': async () => (await import('./measurements/large-claims.ts')).largeClaims,
  costs: async () => (await import('./measurements/costs.ts')).costs,
  customers: async () => (await import('./measurements/customers.ts')).customers,
  fairness: async () => (await import('./measurements/fairness.ts')).fairness,
  feed: async () => (await import('./measurements/feed.ts')).feed,
  'first-of-month': async () => (await import('./measurements/first-of-month.ts')).firstOfMonth,
  'get-usage-meter': async () => (await import('./measurements/get-usage-meter.ts')).getUsageMeter,
  history: async () => (await import('./measurements/history.ts')).history,
  import: async () => (await import('./measurements/import.ts')).importing,
  limits: async () => (await import('./measurements/limits.ts')).limits,
  'list-usage-meters': async () =>
    (await import('./measurements/list-usage-meters.ts')).listUsageMeters,
  lists: async () => (await import('./measurements/lists.ts')).lists,
  live: async () => (await import('./measurements/live.ts')).live,
  'matrix-usage': async () => (await import('./measurements/matrix-usage.ts')).matrixUsage,
  pages: async () => (await import('./measurements/pages.ts')).pages,
  'test-clocks': async () => (await import('./measurements/test-clocks.ts')).testClocks,
  transitions: async () => (await import('./measurements/transitions.ts')).transitions,
  usage: async () => (await import('./measurements/usage.ts')).usage,
  'usage-statements': async () =>
    (await import('./measurements/usage-statements.ts')).usageStatements,
  'usage-stream': async () => (await import('./measurements/usage-stream.ts')).usageStream,
  young: async () => (await import('./measurements/young.ts')).young,
};
