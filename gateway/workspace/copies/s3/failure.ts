import { createHash } from "node:crypto";
import { Transform } from "node:stream";
import type { S3ServiceException } from "@aws-sdk/client-s3";
import type { CopyErrorCode } from "#contract/copy-constants.ts";
import { plain } from "#gateway/events/notices/describe-notice.ts";
import type { CopyTry } from "#gateway/platform/database/tables/workspace.ts";
import {
  BlockedAddressError,
  errorCodeOf,
  NameNotResolvedError,
} from "#gateway/platform/network/address-guard.ts";
import texts from "#messages/en/destinations.ts";

/** The description of a failure in an attempt's record. */
export type AttemptFailure = Pick<CopyTry, "statusCode" | "serverCode"> & {
  error: NonNullable<CopyTry["error"]>;
};

/** The answer is not that of an S3 server. */
export class NoS3Error extends Error {}

/** Meanings of S3's error codes that their HTTP status does not reveal. */
const ofServerCodes: Record<string, CopyErrorCode> = {
  InvalidAccessKeyId: "wrong_keys",
  SignatureDoesNotMatch: "wrong_keys",
  InvalidToken: "wrong_keys",
  ExpiredToken: "wrong_keys",
  AccessDenied: "access_denied",
  AllAccessDisabled: "access_denied",
  AccountProblem: "access_denied",
  NoSuchBucket: "bucket_not_found",
  InvalidBucketName: "bucket_not_found",
  AuthorizationHeaderMalformed: "wrong_region",
  IllegalLocationConstraintException: "wrong_region",
  PermanentRedirect: "wrong_region",
  TemporaryRedirect: "redirect",
  BadDigest: "bytes_differ",
  XAmzContentSHA256Mismatch: "bytes_differ",
  SlowDown: "server_error",
};

export function failure(code: CopyErrorCode, more: Partial<AttemptFailure> = {}): AttemptFailure {
  return { statusCode: null, serverCode: null, error: { code, message: texts[code] }, ...more };
}

/**
 * An error of the SDK, the guard or the connection, in plain words and without any part of the keys. Throws
 * any other error.
 */
export function failureOf(error: unknown): AttemptFailure {
  if (isOfServer(error)) return ofAnswer(error);
  if (error instanceof NoS3Error)
    return failure("refused", { error: { code: "refused", message: error.message } });
  if (error instanceof BytesDifferError) return failure("bytes_differ");
  if (error instanceof BlockedAddressError) return failure("blocked_address");
  if (error instanceof NameNotResolvedError) return failure("dns_error");
  const { name, cause } = error instanceof Error ? error : { name: "", cause: null };
  if (name === "AbortError" || name === "TimeoutError") return failure("timeout");
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  if (status !== undefined) return ofStatus(status, null, "");
  const code = errorCodeOf(error) ?? errorCodeOf(cause) ?? "";
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|UNABLE_|SELF_SIGNED|EPROTO)/.test(code)) return failure("tls_error");
  if (/^(ETIMEDOUT|UND_ERR_.*TIMEOUT)$/.test(code)) return failure("timeout");
  if (/^(E(?!RR_)[A-Z]+|UND_ERR_\w+|HPE_\w+)$/.test(code)) return failure("no_connection");
  throw error;
}

/**
 * Recognises errors of the SDK without its class, so that the first attempt loads the SDK instead of the
 * start.
 */
function isOfServer(error: unknown): error is S3ServiceException {
  return error instanceof Error && "$fault" in error && "$metadata" in error;
}

function ofAnswer({ name, message, $metadata }: S3ServiceException): AttemptFailure {
  return ofStatus($metadata.httpStatusCode ?? 0, name, message);
}

function ofStatus(status: number, serverCode: string | null, said: string): AttemptFailure {
  const facts = { statusCode: status, serverCode: serverCode === null ? null : plain(serverCode) };
  const known = serverCode === null ? undefined : ofServerCodes[serverCode];
  const code = known ?? codeOfStatus(status);
  if (code !== "refused") return failure(code, facts);
  const words = plain(said);
  return failure(code, {
    ...facts,
    error: { code, message: `The server answered ${status}${words === "" ? "." : `: ${words}`}` },
  });
}

function codeOfStatus(status: number): CopyErrorCode {
  if (status >= 500 || status === 429 || status === 408) return "server_error";
  if (status >= 300 && status < 400) return "redirect";
  if (status === 401) return "wrong_keys";
  if (status === 403) return "access_denied";
  return status === 404 ? "bucket_not_found" : "refused";
}

/** The bytes read differ from those that were stored. */
class BytesDifferError extends Error {}

/**
 * Passes bytes through, but sends the last ones only if all of them together have this hash. So an upload of
 * other bytes is never complete.
 */
export function verified(sha256: string): Transform {
  const hash = createHash("sha256");
  let last: Buffer | null = null;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      const passed = last;
      last = chunk;
      done(null, passed);
    },
    flush(done) {
      if (hash.digest("hex") === sha256) done(null, last);
      else done(new BytesDifferError("The stored file's bytes have changed since it was made"));
    },
  });
}
