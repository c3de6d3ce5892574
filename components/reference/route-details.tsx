import { useWords } from "#words";
import { SchemaTable } from "@/components/catalog/schema-table";
import { CodeBlock } from "@/components/ui/code-block";
import { CodeColours } from "@/components/ui/code-colours";
import { CopyButton } from "@/components/ui/copy-button";
import type { ReferenceOperation } from "@/lib/reference/document";
import { readRouteOf } from "@/lib/reference/read-route";
import { TryRead } from "./reference-browser.tsx";

interface RouteDetailsProps {
  operation: ReferenceOperation;
  /** Whether the console can send the request for the reader. */
  canTry: boolean;
}

/** Parameters and responses of a route. Rendered on the server when somebody opens the route. */
export function RouteDetails({ operation, canTry }: RouteDetailsProps) {
  const t = useWords("reference");
  return (
    <div className="grid gap-4 px-4 pt-2">
      {operation.note && <p className="text-muted">{operation.note}</p>}
      <Examples operation={operation} />
      {canTry && (
        <Part title={t("tryIt")}>
          <TryRead route={readRouteOf(operation)} />
        </Part>
      )}
      {operation.parameters && (
        <Part title={t("parameters")}>
          <SchemaTable
            schema={operation.parameters}
            label={t("parametersOfSummary", { summary: operation.summary })}
          />
        </Part>
      )}
      {operation.bodies.map((body) => (
        <Part
          key={body.title}
          title={body.title === "Body" ? t("body") : t("bodyForTitle", { title: body.title })}
        >
          <SchemaTable
            schema={body.schema}
            label={t("titleOfSummary", {
              title: body.title === "Body" ? t("body") : body.title,
              summary: operation.summary,
            })}
          />
        </Part>
      ))}
      <Part title={t("responses")}>
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
  );
}

function Examples({ operation: { summary, example } }: { operation: ReferenceOperation }) {
  const t = useWords("reference");
  return (
    <div className="grid gap-4 desktop:grid-cols-2">
      <Part title={t("exampleRequest")}>
        <CodeBlock label={t("requestSummary", { summary })} tabs={example.requests} />
      </Part>
      {example.answer && (
        <Part title={t("exampleResponseStatus", { status: example.answer.status })}>
          <ExampleCode
            label={t("responseSummary", { summary })}
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

/** An example to copy. */
function ExampleCode({ label, code, language }: ExampleCodeProps) {
  const t = useWords("reference");
  return (
    <figure aria-label={label} className="relative min-w-0 overflow-hidden rounded-panel border bg-sunken">
      <div className="absolute top-1.5 right-1.5 rounded-control bg-sunken">
        <CopyButton value={code} label={t("copyLabel", { label })} />
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
