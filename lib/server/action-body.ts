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
    const form = isForm ? await sent.formData() : new FormData();
    if (!isForm) form.set(listField, await sent.text());
    if (!isCall || Array.isArray(new Call(form, isForm).field(listField))) return null;
  } catch {
    // Not JSON, or no form.
  }
  return refusal(400, "malformed_action", "This is no call of an action. Reload the page, then try again.");
}

function tooLarge(): Response {
  return refusal(413, "request_too_large", "The body of an action has at most 1 MB.");
}

/** The field with the list of arguments; a body that is no form has only this one. */
const listField = "0";
/** Words of React's format that stand for a value and not for another field of the form. */
const valueWord = /^\$(?:[$DTuIN-]|n-?\d+$|$)/;
/** References to a field, with the path inside it: `$1:name:0`. Bytes and files have these kinds, streams those. */
const reference = /^\$([^0-9a-f]?)([0-9a-f]+)((?::.*)?)$/s;
const fileKinds = /^[AOoUSsLlGgMmVB]$/;
const streamKinds = /^[RrXx]$/;

/** A call in React's format. */
class Call {
  readonly #form: FormData;
  readonly #isForm: boolean;
  readonly #fields = new Map<string, unknown>();

  constructor(form: FormData, isForm: boolean) {
    this.#form = form;
    this.#isForm = isForm;
  }

  /** The JSON in a field. Throws if it is none, or if a reference in it leads nowhere. */
  field(name: string): unknown {
    if (this.#fields.has(name)) return this.#fields.get(name);
    const text = this.#form.get(name);
    if (typeof text !== "string") throw new Error("no such field");
    const references: string[] = [];
    const value: unknown = JSON.parse(text, (_name, each: unknown) => {
      if (isReference(each)) references.push(each);
      return each;
    });
    this.#fields.set(name, value);
    for (const each of references) this.#target(each);
    return value;
  }

  #target(word: string): unknown {
    const [, kind = "", id = "", path = ""] = reference.exec(word) ?? [];
    const name = String(Number.parseInt(id, 16));
    // The fields of a form inside the list have a prefix instead.
    if (kind === "K" && this.#isForm) return null;
    if (fileKinds.test(kind) && this.#form.get(name) instanceof Blob) return null;
    if (streamKinds.test(kind) && this.#form.has(name)) return null;
    let value = this.field(name);
    for (const key of path.split(":").slice(1)) {
      if (isReference(value)) value = this.#target(value);
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, key))
        throw new Error("a path leads nowhere");
      value = (value as Record<string, unknown>)[key];
    }
    return value;
  }
}

function isReference(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("$") && !valueWord.test(value);
}
