import { hash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { library, librarySettings, readFrom } from "../library.ts";
import { coseSignature, type SigningKey } from "./cose.ts";

/** Runs in its own thread (see `signer.ts`). */

export interface FileToSign {
  bytes: Uint8Array;
  contentType: string;
  definition: Record<string, unknown>;
  /** The claim's ingredients; with the bytes, their own manifests are kept. */
  ingredients: { description: Record<string, unknown>; contentType: string; bytes: Uint8Array | null }[];
  signer: SigningKey;
}

export type SignOutcome =
  | { state: "signed"; bytes: Uint8Array<ArrayBuffer>; sha256: string }
  /** Not signed: it already has a manifest, or we cannot read whether it has one. */
  | { state: "marked" | "unreadable" | "unsupported" | "library_missing" }
  | { state: "failed"; error: string };

const settings = JSON.stringify({
  ...librarySettings,
  verify: { ...librarySettings.verify, verify_after_sign: true },
  builder: { thumbnail: { enabled: false } },
});

installBlobReader();

/** Makes the blobs of `readableBlob` readable in this thread. */
export function installBlobReader(): void {
  Object.assign(globalThis, {
    FileReaderSync: class {
      readAsArrayBuffer = ({ part }: { part: Uint8Array }) => new Uint8Array(part).buffer;
    },
  });
}

async function sign(file: FileToSign): Promise<SignOutcome> {
  const loaded = await library;
  if (!loaded) return { state: "library_missing" };
  const { state, reason } = await readFrom(loaded, file);
  if (state === "present") return { state: "marked" };
  if (state === "unknown") return { state: reason === "unsupported_type" ? "unsupported" : "unreadable" };
  const builder = loaded.WasmBuilder.fromJson(JSON.stringify(file.definition), settings);
  try {
    for (const ingredient of file.ingredients) await name(builder, ingredient);
    const bytes = await builder.sign(
      {
        alg: file.signer.algorithm,
        reserveSize: coseSignature(file.signer, new Uint8Array()).length,
        sign: async (claim: Uint8Array) => new Uint8Array(coseSignature(file.signer, claim)),
      },
      [],
      file.contentType,
      readableBlob(file.bytes),
    );
    return { state: "signed", bytes: bytes as Uint8Array<ArrayBuffer>, sha256: hash("sha256", bytes) };
  } finally {
    builder.free();
  }
}

/**
 * The library's builder reads blobs synchronously, as browser workers can. Node cannot, so these blobs keep
 * their bytes.
 */
export function readableBlob(content: Uint8Array): Blob {
  const blob = (part: Uint8Array): unknown => ({
    size: part.length,
    part,
    slice: (start: number, end: number) => blob(part.subarray(start, end)),
  });
  return blob(content) as Blob;
}

type Builder = ReturnType<typeof import("@contentauth/c2pa-wasm").WasmBuilder.fromJson>;

/** An ingredient that the library cannot read is still named. */
async function name(
  builder: Builder,
  { description, contentType, bytes }: FileToSign["ingredients"][number],
) {
  const json = JSON.stringify(description);
  if (bytes === null) return builder.addIngredient(json);
  await builder
    .addIngredientFromBlob(json, contentType, readableBlob(bytes))
    .catch(() => builder.addIngredient(json));
}

parentPort?.on("message", async (file: FileToSign) => {
  const outcome = await sign(file).catch(
    (error: unknown): SignOutcome => ({ state: "failed", error: String(error) }),
  );
  parentPort?.postMessage(outcome, outcome.state === "signed" ? [outcome.bytes.buffer] : []);
});
