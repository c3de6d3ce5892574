import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import type { Manifest } from "#contract/outputs.ts";
import { manifestOf } from "./manifest-of.ts";
import type { FileToRead } from "./reader.ts";
import { claimPurposes } from "./signing/cose.ts";

/**
 * The library, for the threads that use it; they may be terminated at any moment (see `library-thread.ts`).
 */

type Library = typeof import("@contentauth/c2pa-wasm");

export const librarySettings = {
  /** Fetches nothing that a file names: neither a remote manifest nor a certificate's status. */
  verify: { remote_manifest_fetch: false, ocsp_fetch: false },
  /** By default the library accepts only e-mail certificates. */
  trust: { trust_config: claimPurposes.join("\n") },
};
if (!isMainThread) globalThis.fetch = () => Promise.reject(new Error("A manifest may not fetch anything"));

/** Null where the optional package is not installed. */
export const library: Promise<Library | null> = load().catch(() => null);

async function load(): Promise<Library> {
  const loaded = await import("@contentauth/c2pa-wasm");
  const wasm = fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"));
  await loaded.default({ module_or_path: await readFile(wasm) });
  return loaded;
}

/** The Content Credentials of a file. Never throws because of the file's content. */
export async function readFrom(
  { WasmReader }: Library,
  { bytes, contentType }: FileToRead,
): Promise<Manifest> {
  try {
    const reader = await WasmReader.fromBytes(contentType, bytes, JSON.stringify(librarySettings));
    try {
      return manifestOf(JSON.parse(reader.json()));
    } finally {
      reader.free();
    }
  } catch (error) {
    return ofFailure(String(error), bytes);
  }
}

const unreadable: Manifest = {
  state: "present",
  issuer: null,
  claims: {
    validation: "unreadable",
    generator: null,
    digital_source_type: null,
    actions: [],
    signed_at: null,
  },
};

/** The manifest state behind a library error: a broken manifest still counts as present. */
function ofFailure(error: string, bytes: Uint8Array): Manifest {
  if (error.includes("JumbfNotFound")) return { state: "absent", issuer: null, claims: null };
  if (error.includes("RemoteManifest")) return unreadable;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (content.includes("jumb") && content.includes("c2pa")) return unreadable;
  const reason = error.includes("UnsupportedType") ? "unsupported_type" : "failed";
  return { state: "unknown", issuer: null, claims: null, reason };
}
