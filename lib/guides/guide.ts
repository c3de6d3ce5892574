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

/** All guides in reading order. Their titles are messages of `guides`, as is `…About`, what each is about. */
export const guideTitles = [
  { slug: "first-call", title: "firstCall" },
  { slug: "streaming", title: "streaming" },
  { slug: "clients", title: "clients" },
  { slug: "agents", title: "agents" },
  { slug: "caps-per-task", title: "capsPerTask" },
  { slug: "uploads", title: "uploads" },
  { slug: "predictions", title: "predictions" },
  { slug: "webhooks", title: "webhooks" },
  { slug: "idempotency", title: "idempotency" },
  { slug: "errors", title: "errors" },
  { slug: "gates", title: "gates" },
  { slug: "retention", title: "retention" },
] as const;

export type GuideSlug = (typeof guideTitles)[number]["slug"];
