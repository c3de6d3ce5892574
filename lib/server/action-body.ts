import "server-only";
import { refusal } from "./csrf.ts";

/** Next's limit for the body of an action. */
const maxBytes = 1_048_576;

/**
 * Refuses the body of a server action that Next could not read: it answers 500 to those, and writes an error to
 * the log. Null for any other request.
 */
export async function refusalOfAction(request: Request): Promise<Response | null> {
  const { method, headers } = request;
  const isCall = headers.has("next-action");
  const isForm = headers.get("content-type")?.startsWith("multipart/form-data") === true;
  if (method !== "POST" || !(isCall || isForm)) return null;
  if (Number(headers.get("content-length")) > maxBytes) return tooLarge();
  const copy = request.clone();
  try {
    const body = await copy.arrayBuffer();
    if (body.byteLength > maxBytes) return tooLarge();
    const sent = new Response(body, { headers: { "content-type": headers.get("content-type") ?? "" } });
    const form = isForm ? await sent.formData() : null;
    if (!isCall || isListOfArguments(form ? form.get("0") : await sent.text(), form)) return null;
  } catch {
    // Not JSON, or no form.
  }
  return refusal(400, "malformed_action", "This is no call of an action. Reload the page, then try again.");
}

function tooLarge(): Response {
  return refusal(413, "request_too_large", "The body of an action has at most 1 MB.");
}

/** Words of React's format that stand for a value and not for another field of the form. */
const valueWord = /^\$(?:[$DnTuIN-]|$)/;

/** Whether this is JSON of a list whose references lead to fields of the form; `0` is the list itself. */
function isListOfArguments(text: unknown, form: FormData | null): boolean {
  if (typeof text !== "string") return false;
  let leadsAstray = false;
  const list: unknown = JSON.parse(text, (_name, value: unknown) => {
    if (typeof value !== "string" || !value.startsWith("$") || valueWord.test(value)) return value;
    const [, kind, field = ""] = /^\$([^0-9a-f]?)([0-9a-f]+)/.exec(value) ?? [];
    // The fields of a form inside the list have a prefix instead.
    const isThere = kind === "K" ? form !== null : form?.has(String(Number.parseInt(field, 16)));
    leadsAstray ||= field !== "0" && isThere !== true;
    return value;
  });
  return Array.isArray(list) && !leadsAstray;
}
