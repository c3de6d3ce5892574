/** A row of the API. */
export type Item = Record<string, unknown> & { id?: string };

/** A list whose rows belong to a row of a section. */
interface Beside {
  path: string;
  /** The list has no pages. */
  isWhole?: true;
  /** The route that has all of such a row. */
  detail?: (row: Item) => string;
}

/** A list of the API that becomes a file of the export. */
export interface Section {
  /** The file's name, without its ending. */
  name: string;
  /** What the README says of it. */
  about: string;
  /** The tables that the file covers; the first one is counted. */
  tables: readonly string[];
  path: string;
  /** The answer has no pages: it is the list, or a single row. */
  isWhole?: true;
  /** The answer is a table of this type instead of JSON. */
  ending?: "csv";
  /**
   * A large list, newest first: parts of the export have pieces of it. `column` has the ids of the list, and
   * `bytes` is SQL for the size of a row's files.
   */
  pieces?: { column: string; where?: string; bytes?: string };
  /** The rows come from the table, because the API does not list them: only `detail` shows them. */
  isUnlisted?: true;
  /** The route that has all of a row, if the list leaves something out. */
  detail?: (row: Item) => string;
  beside?: (row: Item) => Beside[];
  /** The folder of the store with the files that these rows name. */
  files?: string;
  /** Fields that work like a secret. */
  omit?: readonly string[];
  /** It is also in an export without contents, but for these fields. */
  plain?: { omit: readonly string[] };
}

const notesAt =
  (path: string) =>
  ({ id, notes }: Item): Beside[] =>
    Number(notes) > 0 ? [{ path: `${path}/${id}/notes` }] : [];

/** Everything of an account that the API shows, in the order of the export. */
export const sections: readonly Section[] = [
  {
    name: "account",
    about: "The account with its settings.",
    tables: [],
    path: "/account",
    isWhole: true,
    plain: { omit: [] },
  },
  {
    name: "limits",
    about: "What limits the account, and how much it stores.",
    tables: ["account_storage"],
    path: "/account/limits",
    isWhole: true,
    plain: { omit: [] },
  },
  {
    name: "budgets",
    about: "Budgets, with what is spent.",
    tables: ["budget_balances", "budget_thresholds"],
    path: "/account/budgets",
    isWhole: true,
    plain: { omit: [] },
  },
  {
    name: "credits",
    about: "Credit that was added to the account.",
    tables: ["account_credits"],
    path: "/account/credits",
    plain: { omit: [] },
  },
  {
    name: "usage",
    about: "Usage and its cost, by UTC day, model and key.",
    tables: ["usage_sums", "usage_daily", "usage_model_days"],
    path: "/usage/export",
    isWhole: true,
    ending: "csv",
    plain: { omit: [] },
  },
  {
    name: "members",
    about: "Members with their roles.",
    tables: ["members", "users"],
    path: "/account/members",
    isWhole: true,
    plain: { omit: [] },
  },
  {
    name: "invitations",
    about: "Invitations.",
    tables: ["invitations"],
    path: "/account/invitations",
    plain: { omit: [] },
  },
  {
    name: "attestations",
    about: "Statements that people confirmed.",
    tables: ["attestations"],
    path: "/account/attestations",
    plain: { omit: [] },
  },
  {
    name: "keys",
    about: "Account keys, revoked ones included. A key has only the last characters of its secret.",
    tables: ["api_keys"],
    path: "/keys",
    plain: { omit: [] },
  },
  {
    name: "key_rules",
    about: "Rules by which workloads exchange their own tokens for short keys, each followed by these keys.",
    tables: ["short_keys"],
    path: "/key_rules",
    isWhole: true,
    beside: ({ id }) => [{ path: `/key_rules/${id}/keys` }],
    plain: { omit: [] },
  },
  {
    name: "connections",
    about: "Agents that members connected.",
    tables: [],
    path: "/connections",
    plain: { omit: [] },
  },
  {
    name: "audit_logs",
    about: "The audit log.",
    tables: ["audit_logs"],
    path: "/audit_logs",
    pieces: { column: "id" },
    // Names of presets, addresses and the like.
    plain: { omit: ["detail"] },
  },
  {
    name: "aliases",
    about: "Names that stand for models.",
    tables: ["aliases"],
    path: "/aliases",
    isWhole: true,
  },
  {
    name: "tasks",
    about: "Values of metadata that have a cap, with what they spent.",
    tables: ["tasks"],
    path: "/tasks",
  },
  {
    name: "usage_metadata",
    about: "Usage by the account's metadata keys: the largest values of each.",
    tables: ["usage_by_metadata"],
    path: "/usage/metadata?limit=1000",
    isWhole: true,
  },
  {
    name: "webhook_endpoints",
    about: "Webhook endpoints, each followed by its resends. Signing secrets are not in it.",
    tables: ["webhook_endpoints", "webhook_resends", "callbacks"],
    path: "/webhooks/endpoints",
    beside: ({ id }) => [{ path: `/webhooks/endpoints/${id}/resends` }],
  },
  {
    name: "notice_hooks",
    about: "Chat webhooks to which notices are posted.",
    tables: ["notice_hooks"],
    path: "/notices/hooks",
    isWhole: true,
  },
  {
    name: "destinations",
    about: "The account's own buckets, without the secret of their keys.",
    tables: ["destinations"],
    path: "/destinations",
  },
  {
    name: "shares",
    about: "Links to outputs, without their addresses: whoever has an address can open it.",
    tables: ["shares"],
    path: "/shares",
    omit: ["url"],
  },
  {
    name: "reports",
    about: "Reports of shared files.",
    tables: ["reports"],
    path: "/reports",
  },
  {
    name: "presets",
    about: "Saved inputs, each followed by its versions.",
    tables: ["presets"],
    path: "/presets",
    pieces: { column: "id" },
    detail: ({ id }) => `/presets/${id}`,
    beside: ({ id }) => [
      {
        path: `/presets/${id}/versions`,
        isWhole: true,
        detail: ({ version }) => `/presets/${id}/versions/${version}`,
      },
    ],
  },
  {
    name: "conversations",
    about: "Saved chats with their messages.",
    tables: ["conversations"],
    path: "/conversations",
    pieces: { column: "id" },
    detail: ({ id }) => `/conversations/${id}`,
  },
  {
    name: "batches",
    about: "Batches and comparisons, each followed by its rows.",
    tables: ["batches"],
    path: "/batches",
    pieces: { column: "id" },
    beside: ({ id }) => [{ path: `/batches/${id}/rows` }],
  },
  {
    name: "uploads",
    about: "Files that were sent as input.",
    tables: ["uploads"],
    path: "/uploads",
    pieces: { column: "id", bytes: "case when storage_key is null then 0 else size_bytes end" },
    files: "uploads/",
  },
  {
    name: "library",
    about: "Outputs that people kept, with the input that made them.",
    tables: ["kept_outputs"],
    path: "/outputs?kept=true",
    pieces: {
      column: "output_id",
      where: "goes_at is null and (kept_until is null or kept_until > now())",
      bytes: "stored_bytes",
    },
    detail: ({ id }) => `/outputs/${id}`,
    files: "kept/",
  },
  {
    name: "outputs",
    about: "Files that runs made and that are still stored.",
    tables: ["outputs"],
    path: "/outputs",
    pieces: {
      column: "id",
      where: "key is not null and expires_at > now()",
      bytes: "size_bytes",
    },
    files: "outputs/",
  },
  {
    name: "predictions",
    about: "Predictions, each followed by its notes. Their outputs are in outputs.jsonl.",
    tables: ["predictions", "notes"],
    path: "/predictions",
    pieces: { column: "id" },
    beside: notesAt("/predictions"),
    files: "inputs/",
  },
  {
    name: "responses",
    about: "Stored responses, each followed by the items of its input.",
    tables: ["responses"],
    path: "/responses",
    pieces: { column: "id", where: "deleted_at is null and expires_at > now()" },
    isUnlisted: true,
    detail: ({ id }) => `/responses/${id}`,
    beside: ({ id }) => [{ path: `/responses/${id}/input_items` }],
  },
  {
    name: "contents",
    about: "What calls said, if the account keeps it.",
    tables: ["contents"],
    path: "/contents",
    pieces: { column: "id" },
    detail: ({ id }) => `/contents/${id}`,
  },
  {
    name: "copies",
    about: "Copies of outputs into the account's own buckets.",
    tables: ["copies"],
    path: "/copies",
    pieces: { column: "id" },
  },
  {
    name: "webhook_deliveries",
    about: "Webhook deliveries with their attempts: what was sent, and what the receiver answered.",
    tables: ["webhook_deliveries", "webhook_delivery_keys"],
    path: "/webhooks/deliveries",
    pieces: { column: "id" },
    detail: ({ id }) => `/webhooks/deliveries/${id}`,
    beside: notesAt("/webhooks/deliveries"),
  },
  {
    name: "requests",
    about: "The request log.",
    tables: ["request_logs"],
    path: "/requests",
    pieces: { column: "id" },
  },
];

/** Tables of an account that an export leaves out, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  account_deletions: "the deletion of the account, which the account shows while it is scheduled",
  account_exports: "exports",
  barred_files: "files that an operator removed",
  money_reservations: "what is reserved for runs that have not ended",
  content_keys: "keys that seal what calls said: secrets",
  enrolled_voices: "voices at providers, whose audio the providers keep",
  sandbox_voices: "voices of the sandbox",
  figure_additions: "figures of charts, which are sums of the request log",
  figure_series: "figures of charts, which are sums of the request log",
  generations: "the list of files that are to be removed: the files are those of the outputs",
  guards: "the account's guard, whose settings `GET /account/guard` shows",
  idempotency_keys: "answers that are kept for a repeated request",
  markups: "the operator's prices, which the cost of each run shows",
  prices: "the operator's prices, which the cost of each run shows",
  notice_causes: "what notices are made of",
  notice_messages: "e-mails and chat messages of notices",
  notices: "each member's own notices",
  previews: "small pictures of files",
  prompt_cache_days: "what the providers' caches saved",
  response_jobs: "responses that have not ended",
  upload_transfers: "uploads that have not ended",
  usage_lines: "single lines of usage: usage.csv has their sums, each run its cost",
  views: "each member's own filters",
  webhook_events: "events: the attempts of their deliveries have what was sent",
};
