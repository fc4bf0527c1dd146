/** The sequence from which an SSE client resumes, as browsers send it when they reconnect. */
export function lastEventIdOf(request: Request | undefined): number | undefined {
  const header = request?.headers.get('last-event-id');
  return header && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/** WebSocket clients cannot set headers in a browser, so they send the key when they connect. */
export function credentialOf(params: Record<string, unknown> | undefined): string | undefined {
  const value = params?.authorization ?? params?.Authorization;
  return typeof value === 'string' ? value : undefined;
}
