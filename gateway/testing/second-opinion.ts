import { type Asset, BMFF, JPEG, PNG } from "@trustnxt/c2pa-ts/asset";
import { SuperBox } from "@trustnxt/c2pa-ts/jumbf";
import { ManifestStore } from "@trustnxt/c2pa-ts/manifest";

/** The report of a second library about a signed file. It shares no code with the library that signs. */
export interface Opinion {
  isValid: boolean;
  codes: string[];
}

/** The library reads these like HEIC, and knows no other brand of them. */
const brands = ["isom", "mp42", "qt  "];

/**
 * Checks certificate, signature and the hashes of claim and file with `@trustnxt/c2pa-ts`. The library itself
 * finds manifests in PNG, JPEG and the boxes of MP4, MOV and M4A; for WebP, WAV, GIF and MP3 this code finds
 * them, and the library does the rest.
 */
export async function secondOpinion(given: Uint8Array, contentType: string): Promise<Opinion> {
  const asset = assetOf(new Uint8Array(given), contentType);
  const manifest = asset.getManifestJUMBF();
  if (!manifest) return { isValid: false, codes: ["no manifest"] };
  const result = await ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(manifest))).validate(asset);
  return { isValid: result.isValid, codes: result.statusEntries.map(({ code }) => code) };
}

function assetOf(bytes: Uint8Array<ArrayBuffer>, contentType: string): Asset {
  if (contentType === "image/png") return new PNG(bytes);
  if (contentType === "image/jpeg") return new JPEG(bytes);
  if (contentType.startsWith("video/") || contentType === "audio/mp4") {
    for (const brand of brands) (BMFF as unknown as { canReadBrands: Set<string> }).canReadBrands.add(brand);
    return new BMFF(bytes);
  }
  return new FoundManifest(bytes, contentType);
}

/** A file whose container the library does not know. */
class FoundManifest implements Asset {
  readonly #bytes: Uint8Array;
  readonly mimeType: string;

  constructor(bytes: Uint8Array, mimeType: string) {
    this.#bytes = bytes;
    this.mimeType = mimeType;
  }

  getDataLength(): number {
    return this.#bytes.length;
  }

  async getDataRange(start = 0, length = this.#bytes.length - start): Promise<Uint8Array> {
    return this.#bytes.subarray(start, start + length);
  }

  getManifestJUMBF(): Uint8Array | undefined {
    const content = Buffer.from(this.#bytes);
    if (this.mimeType === "image/gif") return inGif(content);
    return this.mimeType === "audio/mpeg" ? inId3(content) : inRiff(content);
  }

  dumpInfo(): string {
    return this.mimeType;
  }

  getHashExclusionRange(): never {
    throw new Error("Only for signing");
  }

  async ensureManifestSpace(): Promise<never> {
    throw new Error("Only for signing");
  }

  async writeManifestJUMBF(): Promise<never> {
    throw new Error("Only for signing");
  }
}

/** The chunk C2PA of WAV and WebP. */
function inRiff(content: Buffer): Buffer | undefined {
  for (let at = 12; at + 8 <= content.length; ) {
    const size = content.readUInt32LE(at + 4);
    if (content.toString("latin1", at, at + 4) === "C2PA") return content.subarray(at + 8, at + 8 + size);
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** The application extension C2PA_GIF, in blocks of up to 255 bytes. */
function inGif(content: Buffer): Buffer | undefined {
  const name = content.indexOf("C2PA_GIF");
  if (name === -1) return undefined;
  const blocks: Buffer[] = [];
  for (let at = name + 11; content[at]; at += 1 + (content[at] ?? 0))
    blocks.push(content.subarray(at + 1, at + 1 + (content[at] ?? 0)));
  return Buffer.concat(blocks);
}

/** The general object application/c2pa of an ID3 tag: type, name and description end with a zero each. */
function inId3(content: Buffer): Buffer | undefined {
  const type = content.indexOf("application/c2pa\0");
  if (type === -1) return undefined;
  let at = type;
  for (let texts = 0; texts < 3; texts += 1) at = content.indexOf(0, at) + 1;
  return content.subarray(at, at + content.readUInt32BE(at));
}
