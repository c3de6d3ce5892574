import { SchemaTable } from "@/components/catalog/schema-table";
import { Badge } from "@/components/ui/badge";
import { CodeColours } from "@/components/ui/code-colours";
import { CopyButton } from "@/components/ui/copy-button";
import type { ReferenceOperation as Operation } from "@/lib/reference/document";
import { readRouteOf } from "@/lib/reference/read-route";
import { TryRead } from "./try-read.tsx";

interface ReferenceOperationProps {
  operation: Operation;
  /** The console can send it for the reader. */
  canTry: boolean;
}

/** One route: what it takes and what it answers, folded until it is asked for. */
export function ReferenceOperation({ operation, canTry }: ReferenceOperationProps) {
  return (
    <details id={operation.id} className="open:pb-4">
      <summary className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 hover:bg-sunken focus-visible:-outline-offset-2!">
        <span className={`w-14 font-mono text-meta font-semibold ${methodTone(operation.method)}`}>
          {operation.method}
        </span>
        <code className="min-w-0 text-table wrap-anywhere tablet:basis-96">{operation.path}</code>
        <span className="min-w-0 text-table text-muted max-tablet:basis-full">{operation.summary}</span>
        {operation.isPublic && (
          <span className="tablet:ml-auto">
            <Badge>no key needed</Badge>
          </span>
        )}
      </summary>
      <div className="grid gap-4 px-4 pt-2">
        {operation.note && <p className="text-muted">{operation.note}</p>}
        <Examples operation={operation} />
        {canTry && (
          <Part title="Try it">
            <TryRead route={readRouteOf(operation)} />
          </Part>
        )}
        {operation.parameters && (
          <Part title="Parameters">
            <SchemaTable schema={operation.parameters} label={`Parameters of ${operation.summary}`} />
          </Part>
        )}
        {operation.bodies.map((body) => (
          <Part key={body.title} title={body.title === "Body" ? "Body" : `Body for ${body.title}`}>
            <SchemaTable schema={body.schema} label={`${body.title} of ${operation.summary}`} />
          </Part>
        ))}
        <Part title="Responses">
          <dl className="grid grid-cols-[4rem_1fr] gap-x-3 gap-y-1 text-table">
            {operation.answers.map((answer) => (
              <div key={answer.status} className="contents">
                <dt className="font-mono font-semibold">{answer.status}</dt>
                <dd className="min-w-0 text-muted">
                  {answer.description !== "Default Response" && answer.description} {fieldsOf(answer.schema)}
                </dd>
              </div>
            ))}
          </dl>
        </Part>
      </div>
    </details>
  );
}

function methodTone(method: string): string {
  if (method === "GET") return "text-muted";
  return method === "DELETE" ? "text-bad" : "text-accent";
}

function Examples({ operation: { summary, example } }: { operation: Operation }) {
  return (
    <div className="grid gap-4 desktop:grid-cols-2">
      <Part title="Example request">
        <ExampleCode label={`Request: ${summary}`} code={example.request} language="bash" />
      </Part>
      {example.answer && (
        <Part title={`Example response (${example.answer.status})`}>
          <ExampleCode
            label={`Response: ${summary}`}
            code={example.answer.text}
            language={example.answer.language}
          />
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-table font-semibold">{title}</h3>
      {children}
    </div>
  );
}

function fieldsOf(schema: Record<string, unknown> | null) {
  const names = Object.keys((schema?.properties as object | undefined) ?? {});
  return names.length > 0 ? <code className="wrap-anywhere">{names.join(", ")}</code> : null;
}

interface ExampleCodeProps {
  label: string;
  code: string;
  language: string;
}

/** One example to copy. Rendered on the server: the page has a hundred of them. */
function ExampleCode({ label, code, language }: ExampleCodeProps) {
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
