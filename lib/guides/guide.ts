import type { SnippetId } from "./snippets/snippets.ts";

/**
 * A guide is data. In its texts `code` and [links](/path) are marked as here, {base} is the reader's base URL, {mcp} the address of the tools.
 */
export interface Guide {
  sections: readonly GuideSection[];
}

export interface GuideSection {
  title: string;
  parts: readonly GuidePart[];
  /** Where the section is about extensions: what a gateway without them says instead. */
  missing?: string;
}

export type GuidePart =
  | { text: string }
  | { list: readonly string[] }
  | { head: readonly string[]; rows: readonly (readonly string[])[] }
  | { snippet: SnippetId }
  /** The receivers of every language. */
  | { receivers: true };
