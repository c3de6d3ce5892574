import { byName } from "#contract/by-name.ts";

type Schema = Record<string, unknown>;

/** Fields that are null or empty after success. */
const quiet =
  /error|reason|failure|retried_as|retry_of|revoked|rotated|withdrawn|next_attempt|warning|previous|remixed|^code$|param$/;

/**
 * A plausible value for a JSON schema: every required field, with ids and texts of the resource in `path`.
 * Tests check for each route that the value matches the schema.
 */
export function exampleOf(schema: Schema, path: string, name = ""): unknown {
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.examples)) return schema.examples[0];
  const word = exampleValues[name];
  if (Array.isArray(schema.enum)) return schema.enum.includes(word) ? word : schema.enum[0];
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (branches) {
    const isNullable = branches.some((branch) => branch.type === "null");
    if (isNullable && quiet.test(name)) return null;
    const branch = branches.find(({ type }) => type !== "null") ?? {};
    return Array.isArray(word) && branches.some(takesList) ? word : exampleOf(branch, path, name);
  }
  switch (schema.type) {
    case "object":
      return isPlainObject(word) ? word : exampleObject(schema, path);
    case "array":
      return quiet.test(name) ? [] : [exampleOf((schema.items ?? {}) as Schema, path, name)];
    case "boolean":
      return name === "confirmed";
    case "integer":
    case "number":
      return exampleNumber(schema, name);
    case "string":
      return exampleText(schema, path, name);
    case "null":
      return null;
    default:
      return word ?? {};
  }
}

function exampleObject(schema: Schema, path: string): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required ?? []) as string[];
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema as Record<string, number>;
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const more = required.length > 0 ? Math.max(0, minProperties - required.length) : maxProperties;
  const shown = [...required, ...optional.slice(0, more)];
  return Object.fromEntries(shown.map((name) => [name, exampleOf(properties[name] ?? {}, path, name)]));
}

function exampleNumber(schema: Schema, name: string): number {
  const word = exampleValues[name];
  if (typeof word === "number") return Math.min(word, Number(schema.maximum ?? word));
  if (name === "created" || name.endsWith("_at")) return Date.parse(exampleTime) / 1000;
  return Number(schema.minimum ?? 1);
}

function exampleText(schema: Schema, path: string, name: string): string {
  if (schema.format === "date-time" || name.endsWith("_at")) return exampleTime;
  if (schema.format === "date") return exampleTime.slice(0, "2026-11-22".length);
  const resource = resourceOf(path);
  if (["id", "first_id", "last_id"].includes(name)) return resource.id;
  if (name === "object" || name === "status" || name === "name" || name === "url") return resource[name];
  const word = exampleValues[name];
  return typeof word === "string" ? word : "…";
}

function takesList({ type, anyOf }: Schema): boolean {
  return type === "array" || ((anyOf ?? []) as Schema[]).some(takesList);
}

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const exampleUlid = "01k9z7m3q4r5s6t7v8w9x0y1z2";
export const exampleTime = "2026-11-22T09:30:00Z";

const gateway = "https://gatehouse.example/v1";

interface Resource {
  /** A part of the resource's paths. */
  part: string;
  id: string;
  object: string;
  status: string;
  name: string;
  url: string;
}

const plain = { object: "…", status: "active", name: "laptop", url: "https://example.com" };

/** Example objects by path. The first entry with a `part` that occurs in the path is used. */
const resources: readonly Resource[] = [
  { ...plain, part: "/models", id: "svc/img-gen-b", object: "model" },
  { ...plain, part: "/aliases", id: `als_${exampleUlid}`, object: "alias", name: "gpt-5" },
  { ...plain, part: "/files", id: `upl_${exampleUlid}`, object: "file", name: "harbour.png" },
  { ...plain, part: "/regions", id: "us-virginia", object: "region", name: "US Virginia", status: "healthy" },
  ...["/predictions", "/videos"].map((part) => ({
    ...plain,
    part,
    id: `pred_${exampleUlid}`,
    object: "prediction",
    status: "succeeded",
    url: `${gateway}/files/…/0.png`,
  })),
  { ...plain, part: "/outputs", id: `out_${exampleUlid}`, object: "output", url: `${gateway}/files/…/1.png` },
  { ...plain, part: "/destinations", id: `dst_${exampleUlid}`, object: "destination", name: "our bucket" },
  { ...plain, part: "/copies", id: `cpy_${exampleUlid}`, object: "copy", status: "succeeded" },
  { ...plain, part: "/uploads", id: `upl_${exampleUlid}`, object: "upload", status: "verified" },
  {
    ...plain,
    part: "/notices/hooks",
    id: `nhk_${exampleUlid}`,
    object: "notice_hook",
    name: "ops channel",
    url: "https://hooks.slack.com/services/…",
  },
  { ...plain, part: "/notices", id: `ntc_${exampleUlid}`, object: "notice" },
  ...["/deliveries", "/test"].map((part) => ({
    ...plain,
    part,
    id: `dlv_${exampleUlid}`,
    object: "webhook.delivery",
    status: part === "/test" ? "pending" : "delivered",
    url: "https://example.com/hooks/gatehouse",
  })),
  {
    ...plain,
    part: "/endpoints",
    id: `we_${exampleUlid}`,
    object: "webhook.endpoint",
    status: "enabled",
    url: "https://example.com/hooks/gatehouse",
  },
  { ...plain, part: "/sessions", id: `ses_${exampleUlid}`, object: "session", name: "Ada Byron" },
  { ...plain, part: "/tasks", id: `task_${exampleUlid}`, object: "task" },
  { ...plain, part: "/reports", id: `rep_${exampleUlid}`, object: "report", status: "open" },
  { ...plain, part: "/keys", id: `key_${exampleUlid}`, object: "api_key" },
  { ...plain, part: "/attestations", id: `att_${exampleUlid}`, object: "attestation", name: "Ada Byron" },
  { ...plain, part: "/account", id: `acct_${exampleUlid}`, object: "account", name: "Ada Byron" },
  { ...plain, part: "/audio", id: `gen_${exampleUlid}` },
  { ...plain, part: "/images", id: `gen_${exampleUlid}` },
  { ...plain, part: "", id: `req_${exampleUlid}`, status: "ok", name: "Ada Byron" },
];

export function resourceOf(path: string): Resource {
  return resources.find(({ part }) => path.includes(part)) ?? { ...plain, part: "", id: "…" };
}

const prediction = `${gateway}/predictions/pred_${exampleUlid}`;

/** Example values by field name. A value is used if its type fits the schema. */
export const exampleValues = byName<unknown>({
  prediction_id: `pred_${exampleUlid}`,
  endpoint_id: `we_${exampleUlid}`,
  event_id: `evt_${exampleUlid}`,
  delivery_id: `dlv_${exampleUlid}`,
  upload_id: `upl_${exampleUlid}`,
  key_id: `key_${exampleUlid}`,
  target_id: `key_${exampleUlid}`,
  request_id: `req_${exampleUlid}`,
  user_id: `usr_${exampleUlid}`,
  user_name: "Ada Byron",
  subject_id: `we_${exampleUlid}`,
  url_hint: "hooks.slack.com/…x7Qd",
  up_to: `ntc_${exampleUlid}`,
  scopes: "inference",
  statement_version: "2026-11-01",
  version: "2026-11-01",
  model: "svc/img-gen-b",
  models: "svc/img-gen-b",
  allowed_origins: "https://app.example.com",
  modality: "image",
  api_type: "image-generation",
  namespace: "svc",
  owned_by: "gatehouse",
  svc_region: "us-virginia",
  region: "us-virginia",
  regions: "us-virginia",
  provider: "openai",
  base_url: "https://api.openai.com/v1",
  base_urls: { "us-virginia": "https://api.openai.com/v1" },
  output_origins: "https://files.example.com",
  cover_url: "https://example.com/cover.png",
  poll_url: prediction,
  get: prediction,
  cancel: `${prediction}/cancel`,
  input: { prompt: "A paper boat on a still lake" },
  output: [`${gateway}/files/…/0.png`],
  upload_url: `${gateway}/uploads/upl_${exampleUlid}/content?expires=…&signature=…`,
  upload_headers: { "content-type": "image/png", "content-length": "48213" },
  download_url: `${gateway}/files/…`,
  preview_url: `${gateway}/previews/…`,
  reference: `upload://upl_${exampleUlid}`,
  content_type: "image/png",
  filename: "harbour.png",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  size_bytes: 48_213,
  width: 1024,
  height: 1024,
  progress: 100,
  queue_time: 0.04,
  predict_time: 3.1,
  total_time: 3.14,
  duration_ms: 412,
  last_status_code: 204,
  response_status: 204,
  status: 200,
  max_attempts: 8,
  requests_per_minute: 600,
  tokens_per_minute: 100_000,
  model_tokens_per_minute: { "svc/chat-1": 20_000 },
  max_concurrency: 50,
  token: 2_000_000,
  filters: { status: "failed" },
  event: "accepted",
  events: "prediction.succeeded",
  event_type: "prediction.succeeded",
  action: "key.created",
  secret: "…",
  endpoint_url: "https://s3.eu-central-1.amazonaws.com",
  bucket: "our-outputs",
  prefix: "gatehouse/",
  access_key_id: "AKIAIOSFODNN7EXAMPLE",
  secret_access_key: "wJalrXUtnFEMI-EXAMPLEKEY",
  secret_hint: "9f3a",
  hint: "9f3a",
  salt: "9a1f0c5be2d34778a6c4b1e08d7f2a35",
  kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  pem: "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n",
  public_keys: [{ key: "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=", expires_at: null }],
  email: "you@example.com",
  password: "correct-horse-battery",
  current: "correct-horse-battery",
  new: "correct-donkey-battery",
  code: "492031",
  rawId: "kW3TbT9hYg",
  clientDataJSON: "eyJ0eXBlIjoi4oCm",
  attestationObject: "o2NmbXRk4oCm",
  authenticatorData: "SZYN5YgO4oCm",
  signature: "MEUCIQDP4oCm",
  description: "Production",
  ip: "203.0.113.7",
  remote_ip: "203.0.113.7",
  day: "2026-11-22",
  unit: "generation",
  method: "POST",
  route: "/v1/images/generations",
  text: "Good evening.",
  seconds: "4",
  size: "1280x720",
});
