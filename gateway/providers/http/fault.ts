import { parsed, recordOf, recordsOf, textOf } from "./read-body.ts";

/** What an upstream says about a refusal or failure, whatever its protocol. */
export interface Fault {
  code: string | null;
  message: string | null;
  /** The field of the upstream's own request. */
  param: string | null;
}

/** OpenAI, OpenRouter, vLLM: `{error: {message, type, code, param}}`, or an error that is just text. */
export function readOpenAiFault(text: string): Fault {
  const body = recordOf(parsed(text));
  const error = recordOf(body.error);
  const type = textOf(error.type);
  const code = textOf(error.code) ?? (typeof error.code === "number" ? String(error.code) : null);
  const flagged = Array.isArray(recordOf(error.metadata).reasons) ? "content_policy_violation" : null;
  return {
    code: flagged ?? ([code, type].filter(Boolean).join(" ") || null),
    message: textOf(error.message) ?? textOf(body.error) ?? textOf(body.message),
    param: textOf(error.param),
  };
}

/** DashScope: `{code, message, request_id}`; its compatible mode answers like OpenAI. */
export function readDashScopeFault(text: string): Fault {
  const body = recordOf(parsed(text));
  if (body.error !== undefined) return readOpenAiFault(text);
  return { code: textOf(body.code), message: textOf(body.message), param: null };
}

/** Replicate: `{title, detail, status, invalid_fields?}`. */
export function readReplicateFault(text: string): Fault {
  const body = recordOf(parsed(text));
  const [field] = recordsOf(body.invalid_fields);
  const param = textOf(field?.field)?.replace(/^input\.?/, "") || null;
  return {
    code: textOf(body.title),
    message: textOf(body.detail) ?? textOf(body.error) ?? textOf(body.title),
    param,
  };
}

/** fal: `{detail: [{loc, msg, type}]}` or `{detail: "…"}`, with the kind also in `x-fal-error-type`. */
export function readFalFault(text: string): Fault {
  const body = recordOf(parsed(text));
  const [first] = recordsOf(body.detail);
  const location = Array.isArray(first?.loc) ? first.loc.filter((step) => step !== "body") : [];
  return {
    code: textOf(first?.type) ?? textOf(body.error_type),
    message: textOf(first?.msg) ?? textOf(body.detail) ?? textOf(body.error),
    param: location.length > 0 ? location.join(".") : null,
  };
}
