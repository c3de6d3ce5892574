import type { Fault } from "../http/fault.ts";
import { parsed, recordOf, textOf } from "../http/read-body.ts";
import { readOpenAiFault } from "../openai/fault.ts";

/** DashScope: `{code, message, request_id}`; its compatible mode answers like OpenAI. */
export function readDashScopeFault(text: string): Fault {
  const body = recordOf(parsed(text));
  if (body.error !== undefined) return readOpenAiFault(text);
  return { code: textOf(body.code), message: textOf(body.message), param: null };
}
