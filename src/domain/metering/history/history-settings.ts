interface HistorySettings {
  /** The folder of the files of old usage; undefined where this process has none. */
  readonly folder: string | undefined;
  /** The time limit of one read. */
  readonly limitSeconds: number;
}

/**
 * The history of this process. It is a setting like the keys of secrets: it is set at the start, and is the same for
 * every organization and request.
 */
let settings: HistorySettings = { folder: undefined, limitSeconds: 30 };

/** Sets the folder of the history of this process, once, before it serves. */
export function useHistory(used: HistorySettings) {
  settings = used;
}

export const historySettings = (): HistorySettings => settings;
