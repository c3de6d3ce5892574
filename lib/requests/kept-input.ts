import type { Content } from "#contract/contents.ts";
import type { Words } from "../../messages/words.ts";
import { formatBytes } from "../format.ts";
import { isObject, type JsonObject } from "../schema-form/json.ts";

/** A kept call's input as a draft for another run. */
export interface KeptInput {
  input: JsonObject;
  /** How many files of its messages were not kept. A text in the place of each says so. */
  missingFiles: number;
}

/** The input of a kept call without the model and the wish to stream, and with a text in the place of each missing file. */
export function keptInput({ input: kept }: Pick<Content, "input">, t: Words<"ui">): KeptInput {
  const { model: _, stream: __, ...rest } = kept;
  let missingFiles = 0;
  const partOf = (part: unknown) => {
    const file = readKeptFile(keptFileIn(part) ?? "");
    if (file === null) return part;
    missingFiles += 1;
    const text = t("fileMissingHere", { type: file.type, size: formatBytes(file.sizeBytes) });
    return { type: "text", text };
  };
  const messageOf = (message: unknown) =>
    isObject(message) && Array.isArray(message.content)
      ? { ...message, content: message.content.map(partOf) }
      : message;
  const messages = Array.isArray(rest.messages) ? rest.messages.map(messageOf) : null;
  return { input: { ...rest, ...(messages && { messages }) }, missingFiles };
}

/** A file of a kept call, which has only this in the place of the bytes. */
export interface KeptFile {
  type: string;
  sizeBytes: number;
  sha256: string;
}

/** Null for any other text. */
export function readKeptFile(text: string): KeptFile | null {
  const [, type, bytes, sha256] = /^file:([^;]+);bytes=(\d+);sha256=([0-9a-f]{64})$/.exec(text) ?? [];
  return type && sha256 ? { type, sizeBytes: Number(bytes), sha256 } : null;
}

/** The text with which a part of a message names a file that was not kept, at any depth. */
export function keptFileIn(value: unknown): string | null {
  if (typeof value === "string") return readKeptFile(value) && value;
  if (typeof value !== "object" || value === null) return null;
  for (const inner of Object.values(value)) {
    const found = keptFileIn(inner);
    if (found) return found;
  }
  return null;
}
