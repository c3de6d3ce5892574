"use client";

import { CodeBlock } from "@/components/ui/code-block";
import { JsonView } from "@/components/ui/json-view";

interface MessageBodyProps {
  label: string;
  body: string | null;
  /** Said when there is none. */
  empty: string;
  truncated?: boolean;
}

/** A body as a JSON tree with its exact text below, or as text; never as markup. */
export function MessageBody({ label, body, empty, truncated = false }: MessageBodyProps) {
  if (body === null || body === "") return <p className="text-base text-muted">{empty}</p>;
  const json = parsed(body);
  return (
    <div className="space-y-2">
      {truncated && <p className="text-table text-warn">Only the beginning of the body was saved.</p>}
      {json === undefined ? (
        <CodeBlock label={label} language="text" code={body} wrap />
      ) : (
        <>
          <JsonView label={label} value={json} />
          <details className="text-table text-muted">
            <summary className="w-fit rounded-control">Original text</summary>
            <div className="mt-2">
              <CodeBlock label={`${label}, original text`} language="text" code={body} wrap />
            </div>
          </details>
        </>
      )}
    </div>
  );
}

/** The value of an object or array in `body`; undefined for everything else. */
function parsed(body: string): unknown {
  if (!/^\s*[[{]/.test(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
