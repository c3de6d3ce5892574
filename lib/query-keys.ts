type Query = Record<string, unknown>;

/** All keys of the browser's query cache. A change uses them to invalidate queries. */
export const queryKeys = {
  models: () => ["models"] as const,
  model: (id: string) => ["models", id] as const,
  regions: () => ["regions"] as const,
  predictions: (query: Query = {}) => ["predictions", "list", query] as const,
  prediction: (id: string) => ["predictions", "one", id] as const,
  gallery: (scope: string) => ["outputs", "gallery", scope] as const,
  uploads: (query: Query = {}) => ["uploads", "list", query] as const,
  upload: (id: string) => ["uploads", "one", id] as const,
  /** The files of any run, whether a prediction or a sync run. */
  outputsOf: (runId: string) => ["outputs", "of", runId] as const,
  /** A stored file with these bytes. */
  file: (sha256: string) => ["outputs", "file", sha256] as const,
  output: (id: string) => ["outputs", "one", id] as const,
  library: (query: Query = {}) => ["outputs", "library", query] as const,
  libraryLabels: () => ["outputs", "labels"] as const,
  /** What a call said. */
  content: (runId: string) => ["contents", runId] as const,
  /** The first words of calls. */
  openings: (runIds: readonly string[]) => ["contents", "openings", runIds] as const,
  /** What calls said, searched for words. */
  contentSearch: (query: Query) => ["contents", "search", query] as const,
  presets: (query: Query = {}) => ["presets", query] as const,
  /** The keys that workloads got by a rule. */
  shortKeys: (rule: string) => ["short-keys", rule] as const,
  /** Saved views of a list. */
  views: (list: string) => ["views", list] as const,
  conversations: (query: Query = {}) => ["conversations", query] as const,
  batches: (query: Query = {}) => ["batches", "list", query] as const,
  batch: (id: string) => ["batches", "one", id] as const,
  batchRows: (id: string, query: Query) => ["batches", "one", id, "rows", query] as const,
  batchCheck: (revision: number) => ["batches", "check", revision] as const,
  endpoints: (query: Query = {}) => ["endpoints", "list", query] as const,
  endpoint: (id: string) => ["endpoints", "one", id] as const,
  /** A resend of past events to an endpoint. */
  resend: (endpointId: string) => ["resends", endpointId] as const,
  deliveries: (query: Query = {}) => ["deliveries", "list", query] as const,
  delivery: (id: string) => ["deliveries", "one", id] as const,
  /** Notes on a prediction or a delivery. */
  notes: (subjectId: string) => ["notes", subjectId] as const,
  destinations: (query: Query = {}) => ["destinations", "list", query] as const,
  destination: (id: string) => ["destinations", "one", id] as const,
  copies: (query: Query = {}) => ["copies", "list", query] as const,
  copy: (id: string) => ["copies", "one", id] as const,
  summary: () => ["summary"] as const,
  notices: (query: Query = {}) => ["notices", query] as const,
  account: () => ["account"] as const,
  accountBudgets: () => ["account", "budgets"] as const,
  members: () => ["members"] as const,
  attestations: () => ["attestations"] as const,
  keys: (query: Query = {}) => ["keys", query] as const,
  usage: (query: Query = {}) => ["usage", query] as const,
  requests: (query: Query = {}) => ["requests", query] as const,
  total: (route: string, filter: Query) => ["total", route, filter] as const,
  search: (text: string) => ["search", text] as const,
  auditLogs: (query: Query = {}) => ["audit-logs", query] as const,
};
