import {
  type ErrorBody,
  type ErrorCode,
  type ErrorDetail,
  errorCatalogue,
  type SecondFactorAsked,
} from "#contract/error.ts";

interface ErrorOptions {
  param?: string | null;
  details?: ErrorDetail[];
  /** Of `second_factor_required` at a sign-in. */
  secondFactor?: SecondFactorAsked;
  /** Seconds, clamped to 1..60 on the wire; a client that obeys it may retry. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/**
 * A rejection or failure with a code of the contract. `http/errors.ts` renders thrown ones; rejections before routing and
 * broken streams write `body` themselves.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly secondFactor: SecondFactorAsked | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.param = options.param ?? null;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.secondFactor = options.secondFactor;
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
      },
    };
  }
}
