import { CodeBlock } from "@/components/ui/code-block";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Link } from "@/components/ui/page/link";
import { ReceiverCode } from "@/components/webhooks/secret/receiver-code";
import type { GuidePart as Part } from "@/lib/guides/guide";
import { mcpUrl } from "@/lib/guides/mcp-url";
import { tabsOf } from "@/lib/guides/snippets/languages";
import { guideSnippets } from "@/lib/guides/snippets/snippets";

interface GuidePartProps {
  part: Part;
  /** Of its section; names a table for screen readers. */
  title: string;
  baseUrl: string;
}

export function GuidePart({ part, title, baseUrl }: GuidePartProps) {
  if ("text" in part)
    return (
      <p className="max-w-[80ch]">
        <GuideText text={part.text} baseUrl={baseUrl} />
      </p>
    );
  if ("list" in part)
    return (
      <ul className="max-w-[80ch] list-disc space-y-1 pl-5">
        {part.list.map((text) => (
          <li key={text}>
            <GuideText text={text} baseUrl={baseUrl} />
          </li>
        ))}
      </ul>
    );
  if ("head" in part)
    return (
      <Table label={title}>
        <thead>
          <tr>
            {part.head.map((text) => (
              <Th key={text}>{text}</Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {part.rows.map((row) => (
            <Tr key={row[0]}>
              {row.map((text) => (
                <Td key={text} className="align-top">
                  <GuideText text={text} baseUrl={baseUrl} />
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    );
  if ("receivers" in part) return <ReceiverCode />;
  const snippet = guideSnippets[part.snippet];
  return <CodeBlock label={snippet.label} tabs={tabsOf(snippet, baseUrl)} />;
}

/** A text of a guide: `code`, [links](/path), {base} for the base URL, and {mcp} for the address of the tools. */
function GuideText({ text, baseUrl }: { text: string; baseUrl: string }) {
  let place = 0;
  return text
    .replaceAll("{base}", baseUrl)
    .replaceAll("{mcp}", mcpUrl(baseUrl))
    .split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/)
    .map((piece) => {
      // A piece is known by its place: the same words may come twice.
      const key = place++;
      if (piece.startsWith("`"))
        return (
          <code key={key} className="wrap-anywhere">
            {piece.slice(1, -1)}
          </code>
        );
      const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(piece) ?? [];
      if (!label || !href) return piece;
      return (
        <Link key={key} href={href} className="text-accent underline underline-offset-2">
          {label}
        </Link>
      );
    });
}
