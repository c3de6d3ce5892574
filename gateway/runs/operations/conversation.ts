import { hash, type KeyObject } from "node:crypto";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { Conversation } from "#gateway/models/providers/conversation.ts";
import { recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import type { Admitted } from "./admit.ts";

/**
 * The conversation of a chat, so that it stays with the route and key that have its beginning in their cache;
 * undefined for other work, and if the caller wants none. Many programs send one `prompt_cache_key` or user
 * for everything, so these count only together with the beginning.
 */
export function conversationOf(secret: KeyObject, admitted: Admitted): Conversation | undefined {
  const { actor, compiled } = admitted;
  if (!isOfConversation(admitted)) return undefined;
  return new Conversation(secret, () =>
    JSON.stringify([actor.accountId, compiled.model.id, ...nameOf(admitted)]),
  );
}

/**
 * The conversation of a chat for the request log, by the same names, whichever models answered; null if nothing names
 * one. Its beginning is read only where contents are kept, because that takes time.
 */
export function loggedConversation(secret: KeyObject, admitted: Admitted): string | null {
  const { actor, contents } = admitted;
  const { session, beginning } = admitted.call;
  const isNamed = session !== undefined || beginning !== undefined || contents === "kept";
  if (!isNamed || !isOfConversation(admitted)) return null;
  const name = JSON.stringify(["logged", actor.accountId, ...nameOf(admitted)]);
  return hash("sha256", saltOf(secret) + name, "base64url");
}

const salts = new WeakMap<KeyObject, string>();

/** Keeps anybody who reads the log from trying out names. An HMAC would take several times as long, and proves nothing more here. */
function saltOf(secret: KeyObject): string {
  const known = salts.get(secret);
  if (known !== undefined) return known;
  const salt = secret.export().toString("base64url");
  salts.set(secret, salt);
  return salt;
}

function isOfConversation({ compiled, call }: Admitted): boolean {
  return compiled.engine === "chat" && call.session !== "none";
}

/**
 * Clients of Responses continue by the id of the last response, or send the whole conversation again. Both have
 * the same name only by what the first turn said, so its messages count and not the tools of this turn.
 */
function nameOf({ body, call: { session, beginning } }: Admitted): string[] {
  if (session !== undefined) return ["session", session];
  const named = textOf(body.prompt_cache_key) ?? claudeCodeSession(body.user) ?? "";
  return ["beginning", named, beginningOf(beginning ? { messages: beginning } : body)];
}

/** The session in the `metadata.user_id` of Claude Code, in its old form or as JSON. */
function claudeCodeSession(user: unknown): string | undefined {
  return /session(?:_|_id"\s*:\s*")([\w-]{8,64})/.exec(textOf(user) ?? "")?.[1];
}

/** Bounds of what is hashed of a beginning, whose texts may be as long as a body. */
const maxPieces = 16;
const pieceLength = 64;
const maxBeginningLength = 8_192;

/** The part of a chat that is the same in all of its turns: system, first user message, tools. */
function beginningOf({ messages, tools }: Record<string, unknown>): string {
  const all = recordsOf(messages);
  const firstOfUser = all.findIndex(({ role }) => role === "user");
  const sample = new Sample();
  sample.add(firstOfUser < 0 ? all.slice(0, 1) : all.slice(0, firstOfUser + 1));
  sample.add(tools);
  return sample.text;
}

/** A bounded extract of a value. Markers of a cache are left out, because clients move them at each turn. */
class Sample {
  text = "";

  add(value: unknown): void {
    if (this.text.length >= maxBeginningLength) return;
    if (Array.isArray(value)) for (const item of value) this.add(item);
    // Clients send a text as it is or as a list of parts.
    else if (isRecord(value) && value.type === "text") this.add(value.text);
    else if (isRecord(value)) {
      for (const name in value) {
        if (name === "cache_control") continue;
        this.text += `${name}:`;
        this.add(value[name]);
      }
    } else this.text += `${extractOf(String(value))}\n`;
  }
}

/** A long text's length, its start, its end, and pieces in between. */
function extractOf(text: string): string {
  if (text.length <= maxPieces * pieceLength) return text;
  const step = (text.length - pieceLength) / (maxPieces - 1);
  let extract = `${text.length}:`;
  for (let piece = 0; piece < maxPieces; piece += 1) {
    const at = Math.floor(piece * step);
    extract += text.slice(at, at + pieceLength);
  }
  return extract;
}
