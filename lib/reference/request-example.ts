import { keyVariable } from "../key-variable.ts";
import { resourceOf } from "./example-words.ts";

type Schema = Record<string, unknown>;

interface ExampleRequest {
  method: string;
  /** As the document has it, with {names}. */
  path: string;
  isPublic: boolean;
  parameters: Schema | null;
  body: unknown;
}

/** The path with its names replaced: by `values`, else by what an id looks like. */
export function filledPath(path: string, values: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string, start: number) =>
    values[name] === undefined ? pathWord(name, path.slice(0, start)) : encodeURIComponent(values[name]),
  );
}

/** What stands at a name of a path; `before` is the path up to it. */
function pathWord(name: string, before: string): string {
  return (
    { namespace: "svc", name: "img-gen-b", kind: "adult", key: "…/0.png" }[name] ?? resourceOf(before).id
  );
}

/** The request for a shell with curl; `server` is the gateway's address without `/v1`. */
export function curlOf({ method, path, isPublic, parameters, body }: ExampleRequest, server: string): string {
  const required = ((parameters?.required ?? []) as string[]).filter((name) => !path.includes(`{${name}}`));
  const query = required.map((name) => `${name}=…`).join("&");
  const isSigned = required.includes("signature");
  const options = [
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(isPublic || isSigned ? [] : [`-H "Authorization: Bearer $${keyVariable}"`]),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${shellQuoted(body)}'`]),
    ...(method === "PUT" ? ["--data-binary @harbour.png"] : []),
  ];
  return [`curl "${server}${filledPath(path)}${query && `?${query}`}"`, ...options].join(" \\\n  ");
}

function shellQuoted(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll("\n", "\n  ");
}
