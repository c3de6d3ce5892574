import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import { readableBytes, signableTypes } from "#contract/output-constants.ts";
import { fileStamp } from "#gateway/models/operator/providers-file.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { SigningFiles } from "#gateway/platform/core/config.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { ConfigError } from "#gateway/platform/core/setting-reader.ts";
import { LibraryThread, type NoAnswer, ownBytes } from "../library-thread.ts";
import { readCertificate, type SigningCertificate } from "./certificate.ts";
import { claimOf, type HashedInput, type Input, type Made, mostIngredients } from "./claim.ts";
import type { FileToSign, SignOutcome } from "./signer-thread.ts";

/** A hundred megabytes take about half a second; a file that takes this long is stored unsigned. */
const signTimeoutMs = 20_000;
/** Inputs are a stranger's: they may hold up only each other. */
const chainTimeoutMs = 10_000;
/** How many may wait for their turn, and how long. */
const mostWaiting = 256;
const patienceMs = 30_000;

export interface FileOfRun {
  contentType: string;
  sizeBytes: number;
  /** Called when it is its turn. */
  bytes(): Promise<Buffer>;
}

export type Signed = Pick<Extract<SignOutcome, { state: "signed" }>, "bytes" | "sha256">;

/** Why a file was not signed. */
export type Unsigned =
  | Exclude<SignOutcome["state"], "signed">
  | Exclude<NoAnswer, "gone">
  | "too_large"
  | "expired";

/** That a file is left as it is: nothing went wrong. */
const ordinary: ReadonlySet<string> = new Set(["signed", "marked", "unsupported"]);

interface SignerOptions {
  files: SigningFiles;
  log: Logger;
  /** For tests: other time limits, another thread. */
  timeoutMs?: number;
  script?: URL;
}

/**
 * Signs files of runs with the operator's certificate. Its files are read again when they have changed; while what they say
 * then cannot be used, what they said before is.
 */
export class Signer {
  readonly #files: SigningFiles;
  readonly #log: Logger;
  readonly #timeoutMs: number;
  readonly #plain: LibraryThread<FileToSign, SignOutcome>;
  readonly #chained: LibraryThread<FileToSign, SignOutcome>;
  #certificate: SigningCertificate;
  #stamp: string;
  #problem: string | null = null;

  /** Throws ConfigError for files that cannot be used. */
  static async open(options: SignerOptions): Promise<Signer> {
    const stamp = await stampOf(options.files);
    return new Signer(options, await readCertificate(options.files), stamp);
  }

  private constructor(options: SignerOptions, certificate: SigningCertificate, stamp: string) {
    const { files, log, timeoutMs = signTimeoutMs } = options;
    const script = options.script ?? new URL("./signer-thread.ts", import.meta.url);
    this.#files = files;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.#plain = new LibraryThread(script, mostWaiting);
    this.#chained = new LibraryThread(script, mostWaiting);
    this.#certificate = certificate;
    this.#stamp = stamp;
  }

  /** The certificate in use, and why what its files say now is not. */
  async current(): Promise<{ certificate: SigningCertificate; problem: string | null }> {
    await this.#follow();
    return { certificate: this.#certificate, problem: this.#problem };
  }

  /** The signed bytes of a file; null: store it as it is. Never throws. */
  async sign(file: FileOfRun, made: Made): Promise<Signed | null> {
    const outcome = await this.attempt(file, made).catch(
      (error: unknown): SignOutcome => ({ state: "failed", error: String(error) }),
    );
    const result = typeof outcome === "string" ? outcome : outcome.state;
    counters.outputSignatures.inc({ result });
    if (!ordinary.has(result))
      this.#log.warn(
        { result, contentType: file.contentType, error: errorOf(outcome) },
        "an output was stored without a signature",
      );
    return typeof outcome === "object" && outcome.state === "signed" ? outcome : null;
  }

  /** The same, with why it is not signed. */
  async attempt(file: FileOfRun, made: Made): Promise<SignOutcome | Unsigned> {
    if (!signableTypes.some((type) => type === file.contentType)) return "unsupported";
    if (file.sizeBytes > readableBytes) return "too_large";
    await this.#follow();
    if (this.#certificate.expiresAt.getTime() <= clock.now()) return "expired";
    const inputs = await Promise.all(made.inputs.slice(0, mostIngredients).map(hashed));
    const job = { file, made: { ...made, inputs } };
    if (inputs.length > 0 && total(inputs) <= readableBytes) {
      const outcome = await this.#ask(this.#chained, job, Math.min(chainTimeoutMs, this.#timeoutMs), true);
      if (typeof outcome === "object" && outcome.state !== "failed") return outcome;
    }
    return this.#ask(this.#plain, job, this.#timeoutMs, false);
  }

  async #ask(
    thread: LibraryThread<FileToSign, SignOutcome>,
    { file, made }: { file: FileOfRun; made: Omit<Made, "inputs"> & { inputs: HashedInput[] } },
    timeoutMs: number,
    withInputs: boolean,
  ): Promise<SignOutcome | Unsigned> {
    const givenUpAtMs = performance.now() + patienceMs;
    const { definition, ingredients } = claimOf(made, file.contentType, clock.date());
    const { algorithm, key, chain } = this.#certificate;
    const open = async () => {
      if (performance.now() > givenUpAtMs) return null;
      const bytes = ownBytes(await file.bytes());
      const named = await Promise.all(
        ingredients.map(async (description, index) => {
          const { file: input = "", contentType = "" } = made.inputs[index] ?? {};
          return { description, contentType, bytes: withInputs ? ownBytes(await readFile(input)) : null };
        }),
      );
      const message: FileToSign = {
        bytes,
        contentType: file.contentType,
        definition,
        ingredients: named,
        signer: { algorithm, key, chain },
      };
      const given = named.flatMap((one) => one.bytes?.buffer ?? []);
      return { message, transfer: [bytes.buffer, ...given] };
    };
    const answer = await thread.ask(open, timeoutMs);
    return answer === "gone" ? "busy" : answer;
  }

  async #follow(): Promise<void> {
    const stamp = await stampOf(this.#files);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    try {
      this.#certificate = await readCertificate(this.#files);
      this.#problem = null;
      this.#log.info({ expiresAt: this.#certificate.expiresAt }, "the certificate for signing has changed");
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.#problem = error.message;
      this.#log.error(
        { problem: error.message },
        "the certificate for signing cannot be used; the one before stays",
      );
    }
  }
}

async function stampOf({ certificate, key }: SigningFiles): Promise<string> {
  return (await Promise.all([certificate, key].map(fileStamp))).join(" ");
}

async function hashed(input: Input): Promise<HashedInput> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(input.file), digest);
  return { ...input, sha256: digest.digest("hex") };
}

function total(inputs: readonly Input[]): number {
  return inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function errorOf(outcome: SignOutcome | Unsigned): string | undefined {
  return typeof outcome === "object" && outcome.state === "failed" ? outcome.error.slice(0, 300) : undefined;
}
