import { SchemaTable } from "@/components/catalog/schema-table";
import { Badge } from "@/components/ui/badge";
import type { ReferenceOperation as Operation } from "@/lib/reference/document";
import { readRouteOf } from "@/lib/reference/read-route";
import { ExampleCode } from "./example-code.tsx";
import { TryRead } from "./try-read.tsx";

interface ReferenceOperationProps {
  operation: Operation;
  /** The console can send it for the reader. */
  canTry: boolean;
}

/** One route: what it takes and what it answers, folded until it is asked for. */
export function ReferenceOperation({ operation, canTry }: ReferenceOperationProps) {
  return (
    <details id={operation.id} className="rounded-panel border bg-panel open:pb-3">
      <summary className="flex min-h-10 flex-wrap items-center gap-2 rounded-panel px-3 py-1.5">
        <span className="w-16 font-mono text-table font-semibold">{operation.method}</span>
        <code className="min-w-0 text-table wrap-anywhere">{operation.path}</code>
        <span className="text-muted">{operation.summary}</span>
        {operation.isPublic && <Badge>no key needed</Badge>}
      </summary>
      <div className="grid gap-4 px-3 pt-1">
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
