import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import { readableBytes, signableTypes } from "#contract/output-constants.ts";
import type { Sentence } from "#contract/sentences.ts";
import { fileStamp } from "#gateway/models/configuration/providers-file.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { SigningFiles } from "#gateway/platform/core/config.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { englishOf, sentence } from "#gateway/platform/core/sentences.ts";
import { ConfigError } from "#gateway/platform/core/setting-reader.ts";
import { LibraryThread, type NoAnswer, ownBytes } from "../library-thread.ts";
import { claimOf, type HashedInput, type Input, type Made, maxIngredients } from "./claim.ts";
import { type Algorithm, claimPurposes, type SigningKey } from "./cose.ts";
import type { FileToSign, SignOutcome } from "./signer-thread.ts";

/** A hundred megabytes take about half a second; a file that takes this long is stored unsigned. */
const signTimeoutMs = 20_000;
/** Inputs come from strangers: slow ones may delay only each other. */
const chainTimeoutMs = 10_000;
/** How many jobs may wait for their turn, and how long. */
const maxWaiting = 256;
const patienceMs = 30_000;

export interface FileOfRun {
  contentType: string;
  sizeBytes: number;
  /** Called when it is the file's turn. */
  bytes(): Promise<Buffer>;
}

export type Signed = Pick<Extract<SignOutcome, { state: "signed" }>, "bytes" | "sha256">;

/** Why a file was not signed. */
type Unsigned = Exclude<SignOutcome["state"], "signed"> | Exclude<NoAnswer, "gone"> | "too_large" | "expired";

/** Those of them that raise an alarm. */
const alarming: readonly Unsigned[] = [
  "unreadable",
  "library_missing",
  "failed",
  "busy",
  "timeout",
  "too_large",
  "expired",
];

/** Outcomes that are not logged as a warning. */
const ordinary: ReadonlySet<string> = new Set(["signed", "marked", "unsupported"]);

interface SignerOptions {
  files: SigningFiles;
  log: Logger;
  /** For tests: another time limit, another thread. */
  timeoutMs?: number;
  script?: URL;
}

/**
 * Signs files of runs with the operator's certificate. Reads the certificate files again after a change; if
 * the new content is unusable, the previous certificate stays in use.
 */
export class Signer {
  readonly #files: SigningFiles;
  readonly #log: Logger;
  readonly #timeoutMs: number;
  readonly #plain: LibraryThread<FileToSign, SignOutcome>;
  readonly #chained: LibraryThread<FileToSign, SignOutcome>;
  #certificate: SigningCertificate;
  #stamp: string;
  #problem: ConfigError | null = null;

  /** Throws ConfigError for files that cannot be used. */
  static async open(options: SignerOptions): Promise<Signer> {
    const stamp = await stampOf(options.files);
    for (const result of alarming) counters.outputSignatures.expect({ result });
    return new Signer(options, await readCertificate(options.files), stamp);
  }

  private constructor(options: SignerOptions, certificate: SigningCertificate, stamp: string) {
    const { files, log, timeoutMs = signTimeoutMs } = options;
    const script = options.script ?? new URL("./signer-thread.ts", import.meta.url);
    this.#files = files;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.#plain = new LibraryThread(script, maxWaiting);
    this.#chained = new LibraryThread(script, maxWaiting);
    this.#certificate = certificate;
    this.#stamp = stamp;
  }

  /** The certificate in use, and why the current files cannot be used, if so. */
  async current(): Promise<{ certificate: SigningCertificate; problem: ConfigError | null }> {
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

  /** Signs a file as `sign` does, but returns the reason if the file was not signed. */
  async attempt(file: FileOfRun, made: Made): Promise<SignOutcome | Unsigned> {
    if (!signableTypes.some((type) => type === file.contentType)) return "unsupported";
    if (file.sizeBytes > readableBytes) return "too_large";
    await this.#follow();
    if (this.#certificate.expiresAt.getTime() <= clock.now()) return "expired";
    const inputs = await Promise.all(made.inputs.slice(0, maxIngredients).map(hashed));
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
      this.#problem = error;
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

/** The operator's certificate and key, read from their files. */
interface SigningCertificate extends SigningKey {
  subject: string;
  issuer: string;
  validFrom: Date;
  expiresAt: Date;
}

const maxCertificates = 10;
const leastRsaBits = 2_048;

const anyPurpose = "2.5.29.37.0";
/** The object identifiers 2.5.29.15 and 2.5.29.35 in DER. */
const keyUsageId = "0603551d0f";
const authorityKeyId = "0603551d23";
const digitalSignature = 0x80;

/** Throws a ConfigError that names the file and its problem, without any part of the key. */
async function readCertificate(files: SigningFiles): Promise<SigningCertificate> {
  const certificateSource = `C2PA_CERTIFICATE_FILE ${files.certificate}`;
  const keySource = `C2PA_KEY_FILE ${files.key}`;
  const chain = chainOf(await textOf(files.certificate, certificateSource), certificateSource);
  const [certificate] = chain;
  if (!certificate) throw refusal(certificateSource, sentence("signing_no_certificate"));
  const problem = problemOf(certificate, chain);
  if (problem) throw refusal(certificateSource, problem, ": ");
  const key = keyOf(await textOf(files.key, keySource), keySource);
  if (!certificate.checkPrivateKey(key))
    throw refusal(keySource, sentence("signing_key_of_other_certificate", { file: files.certificate }));
  return {
    algorithm: algorithmOf(key, keySource),
    key,
    chain: chain.map(({ raw }) => raw),
    subject: inALine(certificate.subject),
    issuer: inALine(certificate.issuer),
    validFrom: certificate.validFromDate,
    expiresAt: certificate.validToDate,
  };
}

function refusal(source: string, code: Sentence, between = " "): ConfigError {
  return new ConfigError(source + between + englishOf(code), { ...code, at: source });
}

/** Why a certificate cannot sign claims, by the C2PA certificate profile that readers check. */
function problemOf(certificate: X509Certificate, chain: X509Certificate[]): Sentence | null {
  const now = clock.now();
  const usages = certificate.keyUsage ?? [];
  if (certificate.validToDate.getTime() <= now)
    return sentence("signing_certificate_expired", { at: certificate.validTo });
  if (certificate.validFromDate.getTime() > now)
    return sentence("signing_certificate_not_yet_valid", { at: certificate.validFrom });
  if (certificate.ca) return sentence("signing_certificate_of_authority");
  if (certificate.subject === certificate.issuer) return sentence("signing_certificate_self_signed");
  if (!((extensionOf(certificate, keyUsageId)?.at(-1) ?? 0) & digitalSignature))
    return sentence("signing_certificate_not_for_signatures");
  if (usages.includes(anyPurpose) || !claimPurposes.some((purpose) => usages.includes(purpose)))
    return sentence("signing_certificate_not_for_content");
  if (!extensionOf(certificate, authorityKeyId)) return sentence("signing_certificate_names_no_authority");
  const gap = chain.findIndex((one, at) => at > 0 && !chain[at - 1]?.checkIssued(one));
  return gap === -1 ? null : sentence("signing_chain_broken", { number: String(gap + 1) });
}

/** The content of an extension shorter than 128 bytes; the ones read here are. */
function extensionOf({ raw }: X509Certificate, id: string): Buffer | null {
  const name = Buffer.from(id, "hex");
  const at = raw.indexOf(name);
  if (at === -1) return null;
  // A flag may mark the extension as critical: `01 01 ff`.
  const start = at + name.length + (raw[at + name.length] === 1 ? 3 : 0);
  return raw.subarray(start + 2, start + 2 + (raw[start + 1] ?? 0));
}

function chainOf(pem: string, source: string): X509Certificate[] {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (texts.length > maxCertificates)
    throw refusal(source, sentence("signing_many_certificates", { count: String(maxCertificates) }));
  try {
    return texts.map((text) => new X509Certificate(text));
  } catch {
    throw refusal(source, sentence("signing_certificate_unreadable"));
  }
}

function keyOf(pem: string, source: string): KeyObject {
  if (pem.includes("ENCRYPTED"))
    throw refusal(source, sentence("signing_key_encrypted", { command: "openssl pkey -in … -out …" }));
  try {
    return createPrivateKey(pem);
  } catch {
    throw refusal(source, sentence("signing_no_key"));
  }
}

function algorithmOf(
  { asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject,
  source: string,
): Algorithm {
  const curves: Record<string, Algorithm> = { prime256v1: "es256", secp384r1: "es384", secp521r1: "es512" };
  const found =
    type === "ec"
      ? curves[details?.namedCurve ?? ""]
      : type === "ed25519"
        ? "ed25519"
        : type === "rsa" || type === "rsa-pss"
          ? rsaAlgorithms[details?.hashAlgorithm ?? "sha256"]
          : undefined;
  if (found === undefined) throw refusal(source, sentence("signing_key_of_other_kind"));
  if (found.startsWith("ps") && (details?.modulusLength ?? 0) < leastRsaBits)
    throw refusal(source, sentence("signing_key_too_short", { bits: String(leastRsaBits) }));
  return found;
}

const rsaAlgorithms: Record<string, Algorithm> = { sha256: "ps256", sha384: "ps384", sha512: "ps512" };

async function textOf(file: string, source: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw refusal(source, sentence("signing_file_unreadable", { error: code }));
  }
}

/** Node writes each part of a name on its own line. */
function inALine(name: string): string {
  return name.split("\n").join(", ");
}
