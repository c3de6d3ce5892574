import type { SnippetId } from "./snippets/snippets.ts";

/**
 * A guide is data. Its texts may contain `code`, [links](/path), {base} for the reader's base URL and {mcp}
 * for the address of the MCP tools.
 */
export interface Guide {
  sections: readonly GuideSection[];
}

export interface GuideSection {
  title: string;
  parts: readonly GuidePart[];
  /** For a section about extensions: the text to show if the gateway has no extensions. */
  missing?: string;
}

export type GuidePart =
  | { text: string }
  | { list: readonly string[] }
  | { head: readonly string[]; rows: readonly (readonly string[])[] }
  | { snippet: SnippetId }
  /** The verification snippets in all languages. */
  | { receivers: true };

/**
 * The titles of all guides, in reading order. They are apart from the texts, so that the command palette can
 * list them.
 */
export const guideTitles = [
  { slug: "first-call", title: "First call", summary: "A key, one request, an answer." },
  { slug: "streaming", title: "Streaming", summary: "Chat answers as they are written." },
  {
    slug: "clients",
    title: "Clients and agents",
    summary: "The SDKs of OpenAI, Anthropic, Replicate and Vercel, and coding agents.",
  },
  { slug: "agents", title: "Tools for agents", summary: "Let an agent find and run models over MCP." },
  {
    slug: "caps-per-task",
    title: "Caps per task",
    summary: "Stop an agent in a loop without stopping other work.",
  },
  { slug: "uploads", title: "Uploads", summary: "Send a private file once and use it in requests." },
  {
    slug: "predictions",
    title: "Predictions and polling",
    summary: "Run images and video that take a while.",
  },
  { slug: "webhooks", title: "Webhooks", summary: "Receive an event when a prediction finishes." },
  { slug: "idempotency", title: "Idempotency and retries", summary: "Retry without paying twice." },
  { slug: "errors", title: "Errors and limits", summary: "Read an error and find out what to do." },
  {
    slug: "gates",
    title: "Gates and attestations",
    summary: "What some models require a person to confirm.",
  },
  { slug: "retention", title: "Retention", summary: "How long files are stored, and how to keep them." },
] as const;

export type GuideSlug = (typeof guideTitles)[number]["slug"];
