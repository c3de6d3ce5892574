import { CodeBlock } from "@/components/ui/code-block";
import { verifySnippets } from "@/lib/webhooks/verify-snippets";

/** Complete receivers. Rendered on the server, so that their text is not in the page's script. */
export function ReceiverCode() {
  return (
    <div className="space-y-3">
      <ul className="list-disc space-y-0.5 pl-5 text-base text-muted">
        <li>Verify the raw body bytes, before parsing the JSON.</li>
        <li>Reject timestamps older than 300 s, and compare signatures in constant time.</li>
        <li>An event can arrive more than once: skip event ids that you have already handled.</li>
        <li>Respond with 2xx within 10 s and process the event afterwards.</li>
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

/** The commands that start the receivers. */
function ReceiverCommands() {
  return (
    <details className="text-table text-muted">
      <summary className="w-fit rounded-control">How to run</summary>
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
