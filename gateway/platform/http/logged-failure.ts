import type { FastifyRequest } from "fastify";
import type { LoggedFailure } from "#gateway/platform/database/tables/usage.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The body of the operation that the request asked for, as its route read it. */
    operationAsked: unknown;
    /** The schema of its input, once the request was admitted. */
    operationSchema: object | null;
  }
}

/** The log keeps this many characters of a sentence, and of each value of the caller in it. */
const maxMessageCharacters = 1_000;
const maxValueCharacters = 200;
/** Of longer texts only the beginning is searched for secrets and kept. */
const maxSearchedCharacters = 10_000;
/** At most this many values of a request are searched for secrets and long values, the outer ones first. */
const maxValues = 2_000;
/** Shorter secrets are not searched for, because they occur in ordinary words. */
const minSecretCharacters = 4;
/** An error can repeat only the beginning of a secret. */
const maxVisibleCharacters = 16;
const hidden = "[hidden]";

/**
 * What to keep of the error that a request got; null if it got none. An error can repeat what the caller sent, so
 * secrets are replaced by `[hidden]` and long values are cut.
 */
export function loggedFailure(request: FastifyRequest): LoggedFailure | null {
  const { failure, headers, operationModel } = request;
  if (failure === null) return null;
  const isSecret = secretFields(request);
  const sent = textsOf(request);
  const credentials = [headers["x-api-key"], headers.authorization?.split(/\s+/).at(-1)].flat();
  const secrets = [...credentials, ...sent.filter(([name]) => isSecret(name)).map(([, text]) => text)];
  const kept = (said: string, maxCharacters: number) => {
    let text = said.slice(0, maxSearchedCharacters);
    for (const secret of secrets)
      if (secret !== undefined && secret.length >= minSecretCharacters)
        text = replaced(text, secret, maxVisibleCharacters, () => hidden);
    for (const [, value] of sent)
      if (value.length > maxValueCharacters)
        text = replaced(text, value, maxValueCharacters, (whole) => cut(whole, maxValueCharacters));
    return cut(withoutSecrets(text), maxCharacters);
  };
  const model = operationModel === null ? namedModel(request) : null;
  return {
    message: kept(failure.message, maxMessageCharacters),
    param: failure.param === null ? null : kept(failure.param, maxValueCharacters),
    model: model === null ? null : kept(model, maxValueCharacters),
  };
}

/** The model in the body, by its name or version, or in the path. */
function namedModel({ body, operationAsked, params }: FastifyRequest): string | null {
  const [{ model, version }, { namespace, name }] = [Object(operationAsked ?? body), Object(params)];
  for (const named of [model, version]) if (typeof named === "string" && named !== "") return named;
  return namespace && name ? `${namespace}/${name}` : null;
}

/** The texts that the caller sent, each with the name of its field. */
function textsOf({ body, operationAsked, params, query }: FastifyRequest): [name: string, text: string][] {
  const open: [string, unknown][] = [];
  for (const whole of new Set([params, query, body, operationAsked])) open.push(["", whole]);
  const texts: [string, string][] = [];
  for (let at = 0; at < open.length; at += 1) {
    const [name, value] = open[at] as [string, unknown];
    if (typeof value === "string") texts.push([name, value]);
    const room = maxValues - open.length;
    if (Array.isArray(value)) for (const item of value.slice(0, room)) open.push([name, item]);
    else if (isPlain(value)) open.push(...Object.entries(value).slice(0, room));
  }
  return texts;
}

/** Leaves out streams and bytes. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

const secretName = /passw|secret|credential|authorization|api_?key|private_?key|(?:^|_)token$|^key$/i;

/** Whether a field is secret: by its name, or by the schema of the route or of the model's input. */
function secretFields({ operationSchema, routeOptions }: FastifyRequest): (name: string) => boolean {
  const marked = new Set(
    [operationSchema, routeOptions.schema?.body].flatMap((schema) =>
      Object.entries(Object(Object(schema).properties))
        .filter(([, field]) => Object(field).writeOnly === true || Object(field).format === "password")
        .map(([name]) => name),
    ),
  );
  return (name) => marked.has(name) || secretName.test(name);
}

/** The text with another one wherever it repeats this value, or its beginning of at least so many characters. */
function replaced(text: string, value: string, least: number, by: (found: string) => string): string {
  const start = value.slice(0, least);
  let whole = text;
  for (let at = whole.indexOf(start); at !== -1; ) {
    let end = at + start.length;
    while (end < whole.length && whole[end] === value[end - at]) end += 1;
    const put = by(whole.slice(at, end));
    whole = whole.slice(0, at) + put + whole.slice(end);
    at = whole.indexOf(start, at + put.length);
  }
  return whole;
}

function cut(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1).toWellFormed()}…` : text;
}

/** An address with a user name, or with a query or fragment, which often contain secrets. */
const address = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#"'`<>@]*@)?([^\s?#"'`<>]*)(?:[?#][^\s"'`<>]*)?/gi;
/** A word in which people write credentials. */
const credentialWord = /\b(bearer|basic)\s+[^\s"'`<>]{4,}/gi;
/** The beginnings of usual keys, among them the gateway's own, with the rest of the key. */
const knownKey =
  /\b(?:sk|rk|r8|hf|gsk|xai|whsec|ghp|gho|glpat|xox[a-z]|svc_(?:live|sess|conn|refr))[-_][\w+/=.~-]{8,}/g;
/** Long words, and their parts between slashes. */
const longWord = /[\w+/=~-]{16,}/g;
const longPart = /[\w+=~-]{16,}/g;

/** The text with `[hidden]` for everything that looks like a secret. PostgreSQL stores it in any case. */
function withoutSecrets(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\0", "\uFFFD")
    .replace(address, "$1$2")
    .replace(credentialWord, `$1 ${hidden}`)
    .replace(knownKey, hidden)
    .replace(longWord, (word) =>
      isRandom(word) ? hidden : word.replace(longPart, (part) => (looksSecret(part) ? hidden : part)),
    )
    .replace(/\S{200}\S+/g, (word) => cut(word, maxValueCharacters));
}

const ownId = /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/;
const mixedRun = /(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]{20,}/;

/** Whether a word looks like a key or a hash, and not like an id of ours. */
function looksSecret(word: string): boolean {
  return !ownId.test(word) && (mixedRun.test(word) || isRandom(word));
}

/** In random text the kind of character changes this often, in names of models seldom. */
const minChanges = 0.4;

function isRandom(word: string): boolean {
  const letters = word.replace(/[^A-Za-z\d]/g, "");
  const runs = letters.match(/[a-z]+|[A-Z]+|\d+/g) ?? [];
  const hasAll = [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(letters));
  return hasAll && runs.length - 1 >= minChanges * letters.length;
}
