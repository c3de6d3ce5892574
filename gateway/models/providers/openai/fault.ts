import { parsed, recordOf, textOf } from "../http/read-body.ts";
import type { Fault } from "../http/refusal.ts";

/** OpenAI, OpenRouter, vLLM: `{error: {message, type, code, param}}`, or an error that is only a string. */
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
