import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import type { Manifest } from "#contract/outputs.ts";
import { manifestOf } from "./manifest-of.ts";

/** Runs in its own thread (see `reader.ts`), which may be terminated at any moment. */

/** Names no address that a file could have fetched: neither its manifest nor the state of a certificate. */
const settings = JSON.stringify({ verify: { remote_manifest_fetch: false, ocsp_fetch: false } });
globalThis.fetch = () => Promise.reject(new Error("A manifest may not fetch anything"));

const loaded = load();

async function load() {
  const library = await import("@contentauth/c2pa-wasm");
  const wasm = fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"));
  await library.default({ module_or_path: await readFile(wasm) });
  return library.WasmReader;
}

async function read({ bytes, contentType }: Asked): Promise<Manifest> {
  const Reader = await loaded.catch(() => null);
  if (!Reader) return { state: "unknown", issuer: null, claims: null, reason: "reader_missing" };
  try {
    const reader = await Reader.fromBytes(contentType, bytes, settings);
    try {
      return manifestOf(JSON.parse(reader.json()));
    } finally {
      reader.free();
    }
  } catch (error) {
    return ofFailure(String(error), bytes);
  }
}

interface Asked {
  bytes: Uint8Array;
  contentType: string;
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

parentPort?.on("message", async (asked: Asked) => parentPort?.postMessage(await read(asked)));
