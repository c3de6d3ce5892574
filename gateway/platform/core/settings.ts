import { retentionMinutes, roles } from "#contract/accounts/constants.ts";
import { regionNames } from "#contract/catalog-constants.ts";

/**
 * The only list of settings, each with its default, its bounds and its description. The readers use it, and
 * `npm run settings` writes `.env.example` and `docs/settings.md` from it. The last part of a name is its
 * unit (`…_MS`, `…_DAYS`, `…_BYTES…`).
 */
export type Setting = {
  /** What the setting does, in plain English; backquotes around names and values. */
  about: string;
  /** An example of a value, for settings without a fixed default. */
  example?: string;
  /** True if the console's process reads the setting, too. */
  console?: true;
} & (
  | { kind: "text"; fallback?: string }
  | { kind: "list"; fallback?: readonly string[] }
  | { kind: "integer"; fallback?: number; min: number; max?: number }
  | { kind: "decimal"; fallback: number; min: number; max: number }
  | { kind: "switch"; fallback: "on" | "off" }
  | { kind: "choice"; fallback: string; choices: readonly string[] }
);
type Section = Record<string, Setting>;

const maxPort = 65_535;
const maxHistoryDays = 36_500;
const maxContentsDays = 365;
const maxTryingMs = 3_600_000;
const maxDrainMs = 3_600_000;
const leastTimeoutMs = 1000;

const addresses = {
  PORT: {
    kind: "integer",
    fallback: 3000,
    min: 0,
    max: maxPort,
    console: true,
    about: "Port of the console. `0` takes a free one.",
  },
  GATEWAY_PORT: {
    kind: "integer",
    fallback: 4000,
    min: 0,
    max: maxPort,
    about: "Port of the gateway. `0` takes a free one.",
  },
  GATEWAY_HOST: {
    kind: "text",
    example: "127.0.0.1",
    about:
      "The address that the gateway listens on: `127.0.0.1` allows only this machine, `0.0.0.0` means all addresses. Unset: `127.0.0.1` for an installation that began with release 0.3 or later and has the embedded database and no public address; all addresses for every other one.",
  },
  CONSOLE_HOST: {
    kind: "text",
    example: "127.0.0.1",
    about: "The address that the console listens on. Unset: by the same rule as `GATEWAY_HOST`.",
  },
  GATEWAY_URL: {
    kind: "text",
    example: "https://gateway.example.com",
    console: true,
    about:
      "A gateway that runs elsewhere, without `/v1`. If it is set, `npm start` starts only the console, for that gateway.",
  },
  GATEWAY_PUBLIC_URL: {
    kind: "text",
    example: "http://localhost:4000",
    console: true,
    about:
      "Where browsers and API users reach the gateway, without `/v1`. Signed URLs and `poll_url` begin with it, and agents that connect by consent know the gateway by it. Unset: localhost with the gateway's port.",
  },
  CONSOLE_PUBLIC_URL: {
    kind: "text",
    example: "http://localhost:3000",
    console: true,
    about:
      "Where people open the console. If it begins with https, the console's cookies are Secure. Unset: localhost with the console's port.",
  },
  NEXTAUTH_URL: {
    kind: "text",
    example: "http://localhost:3000",
    console: true,
    about: "The console's address for next-auth only, if it must differ from `CONSOLE_PUBLIC_URL`.",
  },
  TRUST_PROXY: {
    kind: "list",
    example: "loopback,10.0.0.0/8",
    console: true,
    about:
      "The reverse proxies whose `X-Forwarded-For` is trusted, separated by commas: `loopback`, addresses or ranges. The header of any other caller is ignored. The value “on” of early releases trusted every caller and is rejected.",
  },
  CONSOLE_ALLOW_CIDRS: {
    kind: "list",
    example: "203.0.113.0/24,2001:db8::/32",
    console: true,
    about:
      "The networks from which the console may be used, separated by commas: addresses or ranges. From elsewhere its pages, sign-ins and sessions are refused (403), except shared links, help and the public status page; keys are not affected. Behind a proxy, set `TRUST_PROXY` too.",
  },
  MEDIA_ORIGINS: {
    kind: "list",
    example: "https://media.example.com",
    console: true,
    about:
      "Further origins that the console may show media from, separated by commas: an S3 store, or the covers of your own models.",
  },
} as const satisfies Section;

const data = {
  GATEHOUSE_DATA_DIR: {
    kind: "text",
    fallback: ".data",
    about: "The folder of the embedded database, of stored files and of the master secret.",
  },
  DATABASE_URL: {
    kind: "text",
    example: "postgres://user:password@localhost:5432/gatehouse",
    about:
      "A PostgreSQL server (15 or newer) instead of the embedded one. Gateways on several machines need it.",
  },
  POSTGRES_BIN_DIR: {
    kind: "text",
    example: "/usr/pgsql-18/bin",
    about:
      "The folder of this machine's PostgreSQL 18 programs, for the embedded database: an absolute path that belongs, as each folder above it, to root or to the user of Gatehouse, and that no other user or group can change. They are used if they are newer than the bundled ones. Unset: `/usr/lib/postgresql/18/bin`, if it exists.",
  },
  MIGRATE: {
    kind: "switch",
    fallback: "on",
    about:
      "`off`: a process that starts changes no tables. It does not start before `gatehouse migrate` has run.",
  },
  AUTH_SECRET: {
    kind: "text",
    about:
      "Master secret of the gateway, at least 32 random characters (`openssl rand -base64 32`). It signs URLs and encrypts stored secrets. Unset: made at the first start and kept in the data folder. With `DATABASE_URL` it must be set, to the same value for every process.",
  },
  AUTH_SECRET_PREVIOUS: {
    kind: "text",
    about:
      "The previous master secret, during a rotation: everything that it signed and encrypted stays valid (docs/backup.md).",
  },
  CONSOLE_SECRET: {
    kind: "text",
    console: true,
    about:
      "Encrypts the console's session cookies, at least 32 random characters. Unset: derived from `AUTH_SECRET`. Set it if the console runs without the gateway; the console then needs no `AUTH_SECRET`.",
  },
  CONSOLE_SECRET_PREVIOUS: {
    kind: "text",
    console: true,
    about: "The previous `CONSOLE_SECRET`, during a rotation: its cookies stay valid.",
  },
  S3_BUCKET: {
    kind: "text",
    example: "gatehouse-media",
    about:
      "Stores files in this S3 bucket instead of the data folder. Credentials are read the usual way (`AWS_ACCESS_KEY_ID`, …).",
  },
  S3_ENDPOINT: {
    kind: "text",
    example: "https://s3.example.com",
    about: "The S3 server, if it is not Amazon's.",
  },
  S3_REGION: { kind: "text", fallback: "us-east-1", about: "The region of the bucket." },
  S3_PREFIX: { kind: "text", about: "What the names of all objects in the bucket begin with." },
} as const satisfies Section;

const firstStart = {
  OWNER_EMAIL: {
    kind: "text",
    example: "owner@example.com",
    about: "Creates the owner at the first start, without the set-up page.",
  },
  OWNER_PASSWORD: { kind: "text", about: "The password of that owner." },
} as const satisfies Section;

const singleSignOn = {
  OIDC_ISSUER: {
    kind: "text",
    example: "https://id.example.com/realms/company",
    about:
      "The OpenID Connect provider that people sign in with; all settings below need it. Its client must redirect to `CONSOLE_PUBLIC_URL/sign-in/callback`, and may send logouts to `GATEWAY_PUBLIC_URL/v1/account/oidc/logout`.",
  },
  OIDC_CLIENT_ID: {
    kind: "text",
    example: "gatehouse",
    about: "The id of Gatehouse's client at the provider.",
  },
  OIDC_CLIENT_SECRET: { kind: "text", about: "The secret of that client." },
  OIDC_NAME: {
    kind: "text",
    fallback: "single sign-on",
    about: "The name on the button: “Sign in with …”.",
  },
  OIDC_SCOPES: {
    kind: "text",
    fallback: "openid profile email",
    about: "The scopes that the gateway asks for.",
  },
  OIDC_ALLOWED_DOMAINS: {
    kind: "list",
    example: "example.com",
    about:
      "Admits only people with a verified e-mail address in one of these domains, separated by commas. Unset: everybody.",
  },
  OIDC_ROLE_CLAIM: {
    kind: "text",
    example: "groups",
    about: "The claim that names groups or roles. A path such as `realm_access.roles` is fine.",
  },
  OIDC_ROLE_MAP: {
    kind: "list",
    example: "gatehouse-admins=admin,staff=member",
    about:
      "Which role each value of that claim gives: `group=role`, or `group=acct_…/role` where there are several accounts. The highest role counts.",
  },
  OIDC_DEFAULT_ROLE: {
    kind: "choice",
    fallback: "member",
    choices: [...roles, "none"],
    about: "The role of new members to whom the map gives none. `none` refuses them.",
  },
  OIDC_SIGN_IN: {
    kind: "switch",
    fallback: "on",
    about:
      "`off`: nobody signs in this way yet. An operator can try it out on the claims page and see what the provider sends.",
  },
  OIDC_CREATE_MEMBERS: {
    kind: "switch",
    fallback: "on",
    about: "`off`: people who sign in for the first time need an invitation.",
  },
  OIDC_MANAGES_ROLES: {
    kind: "switch",
    fallback: "off",
    about:
      "`on`: the provider decides roles. Every sign-in sets the roles of the map; a missing claim changes nothing.",
  },
} as const satisfies Section;

const behaviour = {
  GATEWAY_ROLE: {
    kind: "choice",
    fallback: "all",
    choices: ["all", "api", "worker"],
    about:
      "`api` serves HTTP only, `worker` runs predictions and sends webhooks only; both need `DATABASE_URL`.",
  },
  GATEWAY_PROCESSES: {
    kind: "text",
    fallback: "1",
    about:
      "How many processes share the port of the API, to use several cores; `auto`: one for each core. One of them also does the work of a worker. `npm run dev` always starts one.",
  },
  DRAIN_MS: {
    kind: "integer",
    fallback: 30_000,
    min: 0,
    max: maxDrainMs,
    about: "How long running requests and runs may continue after SIGTERM. `/readyz` answers 503 at once.",
  },
  GATEHOUSE_QUIET: {
    kind: "switch",
    fallback: "off",
    about:
      "`on`: the installation sends nothing to other machines: no webhooks, e-mails, chat messages, copies, telemetry or calls of upstreams. What is due waits. Set it before you start a restored copy beside the original (docs/backup.md).",
  },
  GATEWAY_EXTENSIONS: {
    kind: "switch",
    fallback: "on",
    about: "`off`: only the routes that the specification lists.",
  },
  PUBLIC_STATUS: {
    kind: "switch",
    fallback: "off",
    about:
      "`on`: the status of models and regions is shown without signing in, at `/public/status` of the console and of the API.",
  },
  RETENTION_MS: {
    kind: "integer",
    fallback: 86_400_000,
    min: 1,
    about:
      "How long outputs, inputs and webhook payloads are kept, and how long addresses of outputs work. Three things stay longer: outputs that people keep in the library (`KEEP_OUTPUTS`, `KEPT_DAYS`), saved chats, until nobody has changed them for `HISTORY_DAYS`, and the contents of calls in accounts that keep them (`KEEP_CONTENTS`). An account can choose less (`SHORTEST_RETENTION_MINUTES`).",
  },
  SHORTEST_RETENTION_MINUTES: {
    kind: "integer",
    min: retentionMinutes.minimum,
    max: retentionMinutes.maximum,
    example: "10",
    about:
      "The shortest time below `RETENTION_MS` that owners may choose for their account (docs/retention.md). Unset: they choose none, except where an operator allows it for one account.",
  },
  SHARE_MAX_DAYS: {
    kind: "integer",
    fallback: 7,
    min: 0,
    max: 365,
    about:
      "The longest time for which somebody can share an output by link with people without an account. `0`: nothing is shared.",
  },
  KEEP_OUTPUTS: {
    kind: "switch",
    fallback: "on",
    about:
      "`off`: nobody can keep outputs in the library. Outputs that were kept before stay until somebody removes them.",
  },
  KEPT_DAYS: {
    kind: "integer",
    fallback: 0,
    min: 0,
    max: maxHistoryDays,
    about: "For how many days a kept output stays at most. `0`: until somebody removes it.",
  },
  KEEP_CONTENTS: {
    kind: "choice",
    fallback: "allowed",
    choices: ["allowed", "off"],
    about:
      "Whether owners may let their account keep what its calls said (docs/contents.md). With `off` nothing is kept, whatever they chose.",
  },
  CONTENTS_MAX_DAYS: {
    kind: "integer",
    fallback: 30,
    min: 1,
    max: maxContentsDays,
    about:
      "For how many days contents of calls are kept at most. An account chooses its own number below it.",
  },
  CONTENTS_BYTES_PER_ACCOUNT: {
    kind: "integer",
    fallback: 1_000_000_000,
    min: 1,
    about:
      "Compressed size of the contents that one account keeps in the database. Beyond it the oldest are deleted.",
  },
  HISTORY_DAYS: {
    kind: "integer",
    min: 0,
    max: maxHistoryDays,
    example: "30",
    about:
      "For how many days predictions, requests, events, deliveries and usage lines stay listed. `0`: for ever. Unset: 30, but for ever in data of a release that kept everything.",
  },
  AUDIT_DAYS: {
    kind: "integer",
    min: 0,
    max: maxHistoryDays,
    example: "400",
    about:
      "For how many days the audit log is kept. `0`: for ever. Unset: 400, but for ever in data of a release that kept everything.",
  },
  UPLOAD_URL_TTL_MS: {
    kind: "integer",
    fallback: 900_000,
    min: leastTimeoutMs,
    about: "How long a signed address for an upload or a download works.",
  },
  PREDICTION_DEADLINE_MS: {
    kind: "integer",
    fallback: 1_800_000,
    min: leastTimeoutMs,
    about: "A prediction that takes longer fails.",
  },
  TRIES_PER_REQUEST: {
    kind: "integer",
    fallback: 6,
    min: 1,
    max: 20,
    about:
      "How often upstreams are called for one request at most, over all routes of a model and all models of an alias.",
  },
  TRYING_MS: {
    kind: "integer",
    fallback: 60_000,
    min: 0,
    max: maxTryingMs,
    about: "No further try begins when this time has passed since the first one.",
  },
  REQUESTS_PER_MINUTE: {
    kind: "integer",
    fallback: 600,
    min: 1,
    about: "Operations of one account key per minute, unless the key has its own limit.",
  },
  MAX_CONCURRENCY: {
    kind: "integer",
    fallback: 50,
    min: 1,
    about: "Operations of one account key that run at once, unless the key has its own limit.",
  },
  ACCOUNT_REQUESTS_PER_MINUTE: {
    kind: "integer",
    min: 1,
    about:
      "Operations of one account per minute, all its keys and members together. Unset: only the limits of each key.",
  },
  API_REQUESTS_PER_MINUTE: {
    kind: "integer",
    fallback: 6_000,
    min: 1,
    about: "Other requests of one account key or session per minute: reads, uploads, changes.",
  },
  PUBLIC_REQUESTS_PER_MINUTE: {
    kind: "integer",
    fallback: 600,
    min: 1,
    about:
      "Requests per minute for the catalog and the OpenAPI document from one address without a key. An IPv6 /64 is one address.",
  },
  STREAMS_PER_KEY: {
    kind: "integer",
    fallback: 100,
    min: 1,
    about: "Event streams that one account key or session may have open.",
  },
  KEYS_PER_ACCOUNT: { kind: "integer", fallback: 1_000, min: 1, about: "Active keys of one account." },
  ENDPOINTS_PER_ACCOUNT: {
    kind: "integer",
    fallback: 1_000,
    min: 1,
    about: "Webhook endpoints of one account.",
  },
  INVITATIONS_PER_ACCOUNT: {
    kind: "integer",
    fallback: 1_000,
    min: 1,
    about: "Open invitations of one account.",
  },
  STORAGE_BYTES_PER_ACCOUNT: {
    kind: "integer",
    fallback: 20_000_000_000,
    min: 1,
    about:
      "Total size of one account's stored files: uploads, including announced ones, and inputs and outputs of runs.",
  },
} as const satisfies Section;

const webhooks = {
  WEBHOOK_BACKOFF_BASE_MS: {
    kind: "integer",
    fallback: 10_000,
    min: 1,
    about: "The wait after the first failed attempt. There are eight attempts.",
  },
  WEBHOOK_BACKOFF_FACTOR: {
    kind: "decimal",
    fallback: 4,
    min: 1,
    max: 100,
    about: "Each further wait is longer by this factor, such as `1.5` or `4`.",
  },
  WEBHOOK_TIMEOUT_MS: {
    kind: "integer",
    fallback: 10_000,
    min: 100,
    about:
      "How long a receiver has to answer after the request was sent. DNS, connection and TLS have 5 s of their own, or this time if it is shorter.",
  },
  WEBHOOK_PORTS: {
    kind: "list",
    fallback: ["443"],
    about: "Ports that an endpoint, or a media URL of a request, may have, separated by commas.",
  },
  WEBHOOK_ALLOW_CIDRS: {
    kind: "list",
    about:
      "Private networks that webhooks may be sent to and metadata documents of agents may come from (CIDR, separated by commas). For tests and private installations.",
  },
  MEDIA_ALLOW_CIDRS: {
    kind: "list",
    about:
      "Private networks that media URLs of requests may reach. Everybody with a key can then read files from these networks.",
  },
  WEBHOOK_CA_FILE: {
    kind: "text",
    about: "A PEM file with further certificate authorities for receivers and media hosts.",
  },
  WEBHOOK_AUTO_DISABLE_AFTER_MS: {
    kind: "integer",
    fallback: 5 * 86_400_000,
    min: leastTimeoutMs,
    about: "An endpoint is disabled when all its attempts have failed for this long.",
  },
} as const satisfies Section;

const email = {
  SMTP_HOST: {
    kind: "text",
    example: "smtp.example.com",
    about:
      "The mail server for notices, invitations and password resets. Unset: no e-mail is sent, and people copy links.",
  },
  SMTP_SECURITY: {
    kind: "choice",
    fallback: "starttls",
    choices: ["starttls", "tls", "none"],
    about:
      "`starttls` insists on encryption. `none` is for a server on this machine or in a trusted network.",
  },
  SMTP_PORT: {
    kind: "integer",
    min: 1,
    max: maxPort,
    example: "587",
    about: "Unset: 587 for `starttls`, 465 for `tls`, 25 for `none`.",
  },
  SMTP_USER: { kind: "text", about: "User and password are set together, or neither." },
  SMTP_PASSWORD: { kind: "text", about: "The password of that user." },
  SMTP_FROM: {
    kind: "text",
    example: "Gatehouse <gatehouse@example.com>",
    about: "The sender: an address, or a name with an address. Needed with `SMTP_HOST`.",
  },
  SMTP_CA_FILE: {
    kind: "text",
    about: "A PEM file with further certificate authorities for the mail server.",
  },
} as const satisfies Section;

const providers = {
  PROVIDERS_FILE: {
    kind: "text",
    about:
      "A file that says which upstream serves which model and region (docs/providers-file.md). Without one, and without providers in the console, the built-in sandbox serves all models.",
  },
  PRICES_FILE: {
    kind: "text",
    about:
      "A file with prices of models (docs/money.md). It is read again when it changes, and wins over prices that were set in the console.",
  },
  CURRENCY: {
    kind: "text",
    fallback: "USD",
    about:
      "The currency (ISO 4217) of all prices, costs and budgets. Choose it before the first price: amounts are never converted.",
  },
  PROVIDER_KEY_VARIABLES: {
    kind: "list",
    example: "OPENAI_KEY,FAL_KEY",
    about:
      "Variables that operators may name as a provider's key (`env:NAME`), separated by commas, besides those that begin with `GATEHOUSE_KEY_`. The providers file may name any variable.",
  },
  HOME_REGION: {
    kind: "choice",
    fallback: "us-virginia",
    choices: regionNames,
    about: "The region of providers that have no regions of their own.",
  },
  FFMPEG_PATH: {
    kind: "text",
    about:
      "The ffmpeg program for the sandbox's videos and for previews. Unset: the one on `PATH`, else the bundled one.",
  },
  SANDBOX_TIMEOUT_MS: {
    kind: "integer",
    fallback: 300_000,
    min: leastTimeoutMs,
    about: "A job of the sandbox that takes longer fails.",
  },
} as const satisfies Section;

const signing = {
  C2PA_CERTIFICATE_FILE: {
    kind: "text",
    about:
      "A PEM file with the certificate that outputs are signed with (C2PA; docs/provenance.md), followed by those that lead to its authority. Unset: outputs are stored as they come.",
  },
  C2PA_KEY_FILE: {
    kind: "text",
    about: "The key of that certificate, in PEM. Certificate and key are set together, or neither.",
  },
} as const satisfies Section;

const monitoring = {
  LOG_LEVEL: {
    kind: "choice",
    fallback: "info",
    choices: ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    about: "The least important lines that are logged. `npm start` uses `warn` when this is unset.",
  },
  METRICS_TOKEN: { kind: "text", about: "The bearer token of `/metrics`. Unset: there is no `/metrics`." },
  METRICS_PORT: {
    kind: "integer",
    min: 0,
    max: maxPort,
    about:
      "The port on which a worker (`GATEWAY_ROLE=worker`) answers `/healthz`, `/readyz` and `/metrics`. Unset: it listens on none.",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: "text",
    example: "http://localhost:4318",
    about:
      "Where OpenTelemetry's traces, metrics and logs are sent. Unset, with the settings below: nothing is sent. All settings `OTEL_…` of OpenTelemetry are read (docs/monitoring.md); these are the usual ones.",
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    kind: "text",
    example: "http/protobuf",
    about: "`http/protobuf`, `http/json` or `grpc`.",
  },
  OTEL_EXPORTER_OTLP_HEADERS: { kind: "text", about: "Headers for the collector, such as its key." },
  OTEL_SERVICE_NAME: { kind: "text", example: "gatehouse", about: "The name of the service in traces." },
  OTEL_TRACES_SAMPLER: {
    kind: "text",
    example: "parentbased_traceidratio",
    about: "How traces are chosen for recording.",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    kind: "text",
    example: "0.1",
    about: "The argument of the sampler: here, the share of traces.",
  },
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: {
    kind: "text",
    example: "false",
    about: "`true` also sends the texts of chats. Media are never sent.",
  },
} as const satisfies Section;

const auditStream = {
  AUDIT_STREAM: {
    kind: "choice",
    fallback: "off",
    choices: ["off", "file", "webhook", "otlp"],
    about:
      "Where every new row of the audit log is sent, of all accounts and operators: JSON lines in a file, a signed webhook, or OTLP logs (docs/audit-stream.md).",
  },
  AUDIT_STREAM_TO: {
    kind: "text",
    example: "/var/log/gatehouse/audit.jsonl",
    about:
      "The file's absolute path, or the whole address of the receiver, such as `https://collector.example.com/v1/logs`.",
  },
  AUDIT_STREAM_SECRET: {
    kind: "text",
    about:
      "Signs the webhook: `whsec_` and the base64 of 24 random bytes or more (`echo whsec_$(openssl rand -base64 32)`).",
  },
  AUDIT_STREAM_HEADERS: {
    kind: "text",
    about:
      "Further headers for the receiver, such as its key: `name=value,name=value`, percent-encoded as those of OpenTelemetry.",
  },
  AUDIT_STREAM_TIMEOUT_MS: {
    kind: "integer",
    fallback: 10_000,
    min: leastTimeoutMs,
    max: 30_000,
    about: "How long the receiver may take for a batch.",
  },
  AUDIT_STREAM_RETRY_MAX_MS: {
    kind: "integer",
    fallback: 60_000,
    min: 100,
    max: maxTryingMs,
    about: "The longest wait before a batch that failed is sent again. The first wait is a second or less.",
  },
  AUDIT_STREAM_BEHIND_MS: {
    kind: "integer",
    fallback: 900_000,
    min: 1000,
    about: "Operators get a notice when the oldest event has waited this long.",
  },
  AUDIT_STREAM_KEEP_DAYS: {
    kind: "integer",
    fallback: 30,
    min: 1,
    max: maxHistoryDays,
    about:
      "For how many days events wait for a receiver that is away, whatever `AUDIT_DAYS` says. Older ones are dropped, and counted. Set it to the same value for every process.",
  },
} as const satisfies Section;

const commandLine = {
  GATEHOUSE_API_KEY: {
    kind: "text",
    about: "The account key that commands of `gatehouse` use when `--key` is missing.",
  },
  WEBHOOK_SECRET: {
    kind: "text",
    about: "The secret that `gatehouse listen` signs with. Unset: a new one for each run, which it prints.",
  },
} as const satisfies Section;

const tests = {
  CHROMIUM_PATH: {
    kind: "text",
    example: "/usr/bin/chromium",
    about: "The Chromium of the browser tests.",
  },
  TEST_DATABASE_URL: {
    kind: "text",
    example: "postgres://postgres@localhost:5432/postgres",
    about:
      "Runs the gateway's tests on this server instead of the embedded one. Its user must be allowed to create databases.",
  },
  GATEHOUSE_ENV_FILE: {
    kind: "text",
    example: ".env",
    about: "A file to read instead of `.env`. Empty: none.",
  },
} as const satisfies Section;

/** The sections in the order of `.env.example` and `docs/settings.md`. */
export const sections: Record<string, Section> = {
  Addresses: addresses,
  Data: data,
  "First start": firstStart,
  "Single sign-on": singleSignOn,
  Behaviour: behaviour,
  Webhooks: webhooks,
  "E-mail": email,
  Providers: providers,
  Signing: signing,
  Monitoring: monitoring,
  "Audit stream": auditStream,
  "Command line": commandLine,
  Tests: tests,
};

export const settings = {
  ...addresses,
  ...data,
  ...firstStart,
  ...singleSignOn,
  ...behaviour,
  ...webhooks,
  ...email,
  ...providers,
  ...signing,
  ...monitoring,
  ...auditStream,
  ...commandLine,
  ...tests,
};
