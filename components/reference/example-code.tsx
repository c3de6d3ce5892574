import { CodeColours } from "@/components/ui/code-colours";
import { CopyButton } from "@/components/ui/copy-button";

interface ExampleCodeProps {
  label: string;
  code: string;
  language: string;
}

/** One example to copy. Rendered on the server: the page has a hundred of them. */
export function ExampleCode({ label, code, language }: ExampleCodeProps) {
  return (
    <figure aria-label={label} className="relative min-w-0 overflow-hidden rounded-panel border bg-sunken">
      <div className="absolute top-1.5 right-1.5 rounded-control bg-sunken">
        <CopyButton value={code} label={`Copy ${label}`} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-80 overflow-auto p-3 pr-10 text-table leading-5 focus-visible:-outline-offset-2!"
      >
        <code>
          <CodeColours code={code} language={language} />
        </code>
      </pre>
    </figure>
  );
}
