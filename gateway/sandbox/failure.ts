import type { ErrorCode } from "#contract/error.ts";

/** An error of a media process, in a form that can be sent to the gateway. */
export class SandboxFailure extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;

  constructor(code: ErrorCode, message: string, param: string | null = null) {
    super(message);
    this.code = code;
    this.param = param;
  }
}

/** An error in the caller's input. */
export function badInput(message: string, param: string | null = null): SandboxFailure {
  return new SandboxFailure("invalid_parameter", message, param);
}

/** The field of a JSON pointer in the notation of errors: `/media/2/url` is `media[2].url`. */
export function paramOf(pointer: string): string {
  return pointer
    .split("/")
    .filter(Boolean)
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), "");
}
