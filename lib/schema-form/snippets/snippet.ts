import type { CatalogOperation } from "#contract/catalog.ts";
import type { JsonObject } from "../json.ts";

export interface SnippetRequest {
  operation: CatalogOperation;
  body: JsonObject;
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
}

export const streams = ({ operation, body }: SnippetRequest): boolean =>
  operation.api_type === "chat-completions" && body.stream === true;

export const isAsync = ({ operation }: SnippetRequest): boolean => operation.execution_mode === "async";

export function indented(text: string, spaces: number): string {
  return text.replaceAll("\n", `\n${" ".repeat(spaces)}`);
}
