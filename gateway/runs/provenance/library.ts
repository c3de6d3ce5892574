import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Manifest } from "#contract/outputs.ts";
import { claimPurposes } from "./claim-purposes.ts";
import { manifestOf } from "./manifest-of.ts";
import type { FileToRead } from "./reader.ts";

/** The library in the threads that work with it; they may be terminated at any moment (see `library-thread.ts`). */

type Library = typeof import("@contentauth/c2pa-wasm");

export const librarySettings = {
  /** Names no address that a file could have fetched: neither its manifest nor the state of a certificate. */
  verify: { remote_manifest_fetch: false, ocsp_fetch: false },
  /** By itself the library takes only certificates for e-mails. */
  trust: { trust_config: claimPurposes.join("\n") },
};
globalThis.fetch = () => Promise.reject(new Error("A manifest may not fetch anything"));

/** Null where the optional package is not installed. */
export const library: Promise<Library | null> = load().catch(() => null);

async function load(): Promise<Library> {
  const loaded = await import("@contentauth/c2pa-wasm");
  const wasm = fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"));
  await loaded.default({ module_or_path: await readFile(wasm) });
  return loaded;
}

/** What the Content Credentials of a file say. Never throws for what is in the file. */
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

/** What the library's refusal says of the file: a broken manifest is there, too. */
function ofFailure(error: string, bytes: Uint8Array): Manifest {
  if (error.includes("JumbfNotFound")) return { state: "absent", issuer: null, claims: null };
  if (error.includes("RemoteManifest")) return unreadable;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (content.includes("jumb") && content.includes("c2pa")) return unreadable;
  const reason = error.includes("UnsupportedType") ? "unsupported_type" : "failed";
  return { state: "unknown", issuer: null, claims: null, reason };
}
