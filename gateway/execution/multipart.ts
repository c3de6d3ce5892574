import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { uploadReference } from "#contract/upload.ts";
import type { Context } from "#gateway/context.ts";
import { refuseUnstorable } from "#gateway/http/storable.ts";
import { storeUpload } from "#gateway/uploads/store.ts";
import { isJson, isPartAFile, TextParts } from "./text-parts.ts";

/** Names under which clients send what the catalog calls otherwise. */
const aliases: Record<string, string> = {
  file: "audio",
  input_reference: "first_frame",
  seconds: "duration",
};
/** Fields that are arrays in the catalog even when one part comes. */
const arrays = new Set(["image"]);
export const maxFileBytes = 524_288_000;
const maxParts = 50;

export interface ParsedBody {
  body: Record<string, unknown>;
  /** The same with files named by their bytes, so that a repeated request has the same fingerprint. */
  fingerprint: Record<string, unknown>;
  /** Whether values are text that the schema must coerce. */
  fromText: boolean;
}

/**
 * The parsed body of an operation request. Files of a multipart body become private uploads of the account, so that an
 * async run finds them later; text parts stay text.
 */
export async function parseBody(
  context: Context,
  request: FastifyRequest,
  accountId: string,
): Promise<ParsedBody> {
  if (!request.isMultipart()) {
    const body = request.body as Record<string, unknown>;
    return { body, fingerprint: body, fromText: false };
  }
  const body: Record<string, unknown> = {};
  const fingerprint: Record<string, unknown> = {};
  const maxTextBytes = request.routeOptions.bodyLimit;
  const texts = new TextParts(maxTextBytes);
  const limits = { fileSize: maxFileBytes, fieldSize: maxTextBytes, parts: maxParts };
  for await (const part of request.parts({ limits, isPartAFile })) {
    const { name, many } = fieldOf(part.fieldname);
    if (part.type === "file" && isJson(part)) {
      const value = await texts.readJson(part.file);
      add(body, name, value, many);
      add(fingerprint, name, value, many);
    } else if (part.type === "file") {
      const upload = await keepFile(context, accountId, part, name);
      add(body, name, uploadReference(upload.id), many);
      add(fingerprint, name, upload.sha256, many);
    } else {
      const value = texts.accept(part);
      add(body, name, value, many);
      add(fingerprint, name, value, many);
    }
  }
  refuseUnstorable(body);
  return { body, fingerprint, fromText: true };
}

function fieldOf(fieldname: string): { name: string; many: boolean } {
  const plain = fieldname.replace(/\[\d*\]$/, "");
  const name = aliases[plain] ?? plain;
  return { name, many: plain !== fieldname || arrays.has(name) };
}

function add(target: Record<string, unknown>, name: string, value: unknown, many: boolean): void {
  const before = target[name];
  if (Array.isArray(before)) before.push(value);
  else if (before !== undefined) target[name] = [before, value];
  else target[name] = many ? [value] : value;
}

async function keepFile(context: Context, accountId: string, part: MultipartFile, param: string) {
  const { file: stream, filename } = part;
  return storeUpload(context, { accountId, stream, filename, param, isCut: () => stream.truncated });
}
