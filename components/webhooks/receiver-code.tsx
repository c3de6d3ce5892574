import { CodeBlock } from "@/components/ui/code-block";
import { verifySnippets } from "@/lib/webhooks/verify-snippets";

/** Receivers that run as they stand. Rendered on the server: their text is no script of the page. */
export function ReceiverCode() {
  return (
    <div className="space-y-3">
      <ul className="list-disc space-y-0.5 pl-5 text-base text-muted">
        <li>Verify the raw bytes of the body: parsed and printed again they are others.</li>
        <li>Refuse timestamps older than 300 s, and compare in constant time.</li>
        <li>Deliveries come at least once: skip an event id that you have handled.</li>
        <li>Answer 2xx within 10 s and do the work afterwards.</li>
      </ul>
      <ReceiverCommands />
      <CodeBlock
        label="Receiver code"
        tabs={verifySnippets.map((snippet) => ({
          label: snippet.label,
          language: snippet.id,
          code: snippet.code,
        }))}
      />
    </div>
  );
}

/** How each of them is started. */
function ReceiverCommands() {
  return (
    <details className="text-table text-muted">
      <summary className="w-fit rounded-control">How to start them</summary>
      <ul className="mt-1 space-y-1">
        {verifySnippets.map((snippet) => (
          <li key={snippet.id} className="wrap-anywhere">
            {snippet.label}, as <code>{snippet.fileName}</code>:{" "}
            <code className="text-ink">{snippet.run}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
