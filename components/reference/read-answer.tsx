import { JsonView } from "@/components/ui/json-view";
import { formatBytes } from "@/lib/format";

/** A tree of more than this would take seconds to draw. */
const longestTree = 100_000;

/** The answer as a tree; the beginning of a long one as text. */
export function ReadAnswer({ text }: { text: string }) {
  const value = text.length <= longestTree ? parsed(text) : undefined;
  if (value !== undefined) return <JsonView value={value} label="response" />;
  return (
    <figure aria-label="response" className="min-w-0 rounded-panel border bg-sunken">
      {text.length > longestTree && (
        <figcaption className="border-b px-3 py-1.5 text-meta text-muted">
          The first {formatBytes(longestTree)} of {formatBytes(text.length)}
        </figcaption>
      )}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-[70vh] overflow-auto p-3 text-table leading-5 whitespace-pre-wrap wrap-anywhere"
      >
        {text.slice(0, longestTree)}
      </pre>
    </figure>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
