import { createHash } from "node:crypto";
import type { ApiType } from "#contract/catalog.ts";
import type { FieldChange } from "#contract/contents.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { promptOf } from "#gateway/models/catalog/prompt-of.ts";
import { recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";

/** A content as it is sealed. */
export interface ContentText {
  /** The body of the operation, as the gateway read it: a message or a response is a chat here. */
  input: Record<string, unknown>;
  output: unknown;
  failure: { code: string; message: string } | null;
  isCut: boolean;
  /** Missing in contents of older releases. */
  changes?: FieldChange[] | null;
}

/** The longest input, and the longest output. */
export const maxTextLength = 4_000_000;

/** The JSON of a content: files are named by kind, size and hash, and what is too long is cut in the middle. */
export function textOfContent({ input, output, failure, isCut, changes }: ContentText): string {
  const [sent, answered, changed] = [input, output, changes ?? null].map(fitted);
  const failed = JSON.stringify(failure && shown(failure));
  return `{"input":${sent},"output":${answered},"failure":${failed},"isCut":${isCut},"changes":${changed}}`;
}

function shown({ code, message }: NonNullable<ContentText["failure"]>) {
  return { code, message };
}

/** Steps of shortening: the length of a text, and of a list. */
const steps = [
  { text: 1_000_000, items: 100_000 },
  { text: 100_000, items: 10_000 },
  { text: 10_000, items: 1_000 },
  { text: 1_000, items: 300 },
  { text: 200, items: 30 },
] as const;

function fitted(value: unknown): string {
  const plain = JSON.stringify(hasFiles(value) ? withoutFiles(value) : value) ?? "null";
  if (plain.length <= maxTextLength) return plain;
  const named: unknown = JSON.parse(plain);
  for (const step of steps) {
    const shorter = JSON.stringify(shortened(named, step));
    if (shorter.length <= maxTextLength) return shorter;
  }
  return JSON.stringify(`[${plain.length} characters left out]`);
}

/** Fields with the bytes of a file as base64. */
const fileFields = new Set(["data", "file_data", "b64_json"]);
/** Shorter texts of such fields are kept as they are. */
const leastFileLength = 256;

/** Whether a text in the value looks like a file. Most contents have none, and need no copy. */
function hasFiles(value: unknown, name = ""): boolean {
  if (typeof value === "string") return value.startsWith("data:") || fileFields.has(name);
  if (Array.isArray(value)) return value.some((item) => hasFiles(item));
  if (!isRecord(value)) return false;
  for (const key in value) if (hasFiles(value[key], key)) return true;
  return false;
}

/** The value with the bytes of each file replaced by `file:<type>;bytes=<size>;sha256=<hash>`. */
export function withoutFiles(value: unknown, name = ""): unknown {
  if (typeof value === "string") return fileName(value, name) ?? value;
  if (Array.isArray(value)) return value.map((item) => withoutFiles(item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutFiles(item, key)]));
}

/** Without a type and without parameters it is a sentence that begins with "data:". */
const dataUri = /^data:(?=[\w;])([\w.+-]{1,80}\/[\w.+-]{1,80})?((?:;[\w.=+-]{1,80}){0,5}),/;

function fileName(text: string, name: string): string | null {
  const uri = text.startsWith("data:") ? dataUri.exec(text) : null;
  const isBytes = fileFields.has(name) && text.length >= leastFileLength && !/[^\w+/=-]/.test(text);
  if (!uri && !isBytes) return null;
  const [head = "", type = "application/octet-stream", parameters = ";base64"] = uri ?? [];
  const encoding = parameters.endsWith(";base64") ? "base64" : "utf8";
  const bytes = Buffer.from(text.slice(head.length), encoding);
  return `file:${type};bytes=${bytes.length};sha256=${createHash("sha256").update(bytes).digest("hex")}`;
}

function shortened(value: unknown, step: (typeof steps)[number]): unknown {
  if (typeof value === "string") return cut(value, step.text);
  if (Array.isArray(value)) {
    const kept = value.length <= step.items ? value : cutList(value, step.items);
    return kept.map((item) => shortened(item, step));
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const kept = entries.length <= step.items ? entries : entries.slice(0, step.items);
  return Object.fromEntries(kept.map(([key, item]) => [cut(key, step.text), shortened(item, step)]));
}

/** The beginning and the end of a text. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  return `${text.slice(0, half)} [… ${text.length - 2 * half} characters left out …] ${text.slice(-half)}`.toWellFormed();
}

function cutList(items: readonly unknown[], length: number): unknown[] {
  const half = Math.floor(length / 2);
  return [...items.slice(0, half), `[… ${items.length - 2 * half} items left out …]`, ...items.slice(-half)];
}

const openingLength = 200;

/** The first words of what was asked: of a chat, its latest message of the user. */
export function openingOf(apiType: ApiType, body: Record<string, unknown>): string {
  const text =
    apiType === "chat-completions" ? latestOfUser(body.messages) : (promptOf(body) ?? firstText(body));
  return text
    .slice(0, 4 * openingLength)
    .replace(/\s{2,}|[^\S ]/g, " ")
    .trim()
    .slice(0, openingLength)
    .toWellFormed();
}

function latestOfUser(messages: unknown): string {
  const content = recordsOf(messages).findLast(({ role }) => role === "user")?.content;
  if (typeof content === "string") return content;
  return textOf(recordsOf(content).find(({ type }) => type === "text")?.text) ?? "";
}

/** The first text of embeddings and rankings. */
function firstText({ query, input }: Record<string, unknown>): string {
  return textOf(query) ?? (Array.isArray(input) ? textOf(input[0]) : undefined) ?? "";
}
