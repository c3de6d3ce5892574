import { curlSnippet } from "./curl.ts";
import { nodeSnippet } from "./node.ts";
import { pythonSnippet } from "./python.ts";
import type { SnippetRequest } from "./snippet.ts";

/** The same request in every language of the Code tab. */
export function snippetsFor(request: SnippetRequest): { label: string; language: string; code: string }[] {
  return [
    { label: "curl", language: "bash", code: curlSnippet(request) },
    { label: "Node.js", language: "javascript", code: nodeSnippet(request) },
    { label: "Python", language: "python", code: pythonSnippet(request) },
  ];
}
