import {
  type BudgetRefusal,
  type ErrorBody,
  type ErrorCode,
  type ErrorDetail,
  errorCatalogue,
  type SecondFactorAsked,
} from "#contract/error.ts";

/**
 * A message may quote the caller's input, and `param` may name one of its fields; both can be as long as the
 * body, so they are cut.
 */
const maxMessageCharacters = 2_000;
const maxParamCharacters = 200;

interface ErrorOptions {
  param?: string | null;
  details?: ErrorDetail[];
  /** Only with `second_factor_required` at a sign-in. */
  secondFactor?: SecondFactorAsked;
  /** Only with a 402: the budget that has no room, as data for programs. */
  refusedBy?: BudgetRefusal;
  /** Seconds, clamped to 1..60 on the wire; a client that obeys it may retry. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/**
 * A rejection or failure with a code of the contract. `http/errors.ts` sends thrown errors to the client.
 * Code that rejects a request before routing, or breaks off a stream, writes `body` itself.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly secondFactor: SecondFactorAsked | undefined;
  readonly refusedBy: BudgetRefusal | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(shortened(message, maxMessageCharacters), { cause: options.cause });
    this.code = code;
    const { param = null } = options;
    this.param = param === null ? null : shortened(param, maxParamCharacters);
    this.details = options.details?.map((detail) => ({
      ...detail,
      path: shortened(detail.path, maxParamCharacters),
      message: shortened(detail.message, maxMessageCharacters),
    }));
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.secondFactor = options.secondFactor;
    this.refusedBy = options.refusedBy;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  get type(): string {
    return errorCatalogue[this.code].type;
  }

  body(requestId: string | null): ErrorBody {
    return {
      error: {
        message: this.message,
        type: this.type,
        code: this.code,
        param: this.param,
        request_id: requestId,
        ...(this.details && { details: this.details }),
        ...(this.secondFactor && { second_factor: this.secondFactor }),
        ...this.refusedBy,
      },
    };
  }
}

/** The error for a parameter whose value is not accepted; `message` is a sentence for the caller. */
export function invalidParameter(param: string | null, message: string): ApiError {
  return new ApiError("invalid_parameter", message, { param });
}

/** The beginning of the text, with an ellipsis if it was cut. */
export function shortened(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1).toWellFormed()}…` : text;
}
