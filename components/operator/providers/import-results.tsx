import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/page/link";
import { Progress } from "@/components/ui/progress";
import { formatCount } from "@/lib/format";
import type { ImportedModel } from "./use-import-many.ts";

interface ImportResultsProps {
  models: readonly ImportedModel[];
  busy: boolean;
  onStop: () => void;
  /** Where a model of this name is imported by hand. */
  hrefOf: (name: string) => string;
}

/** How far an import of several models is, and what came of each. */
export function ImportResults({ models, busy, onStop, hrefOf }: ImportResultsProps) {
  const ended = models.filter(({ result }) => result.state !== "waiting" && result.state !== "importing");
  const added = models.filter(({ result }) => result.state === "added").length;
  const failed = models.filter(({ result }) => result.state === "failed").length;
  return (
    <div className="mb-4 rounded-panel border bg-panel p-3">
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="min-w-0 flex-1 font-medium">
          {busy ? `Importing ${ended.length + 1} of ${models.length}` : "Import ended"}
          {`: ${formatCount(added, "model")} added`}
          {failed > 0 && `, ${failed} not`}
        </p>
        {busy && (
          <Button size="sm" onClick={onStop}>
            Stop after this one
          </Button>
        )}
      </div>
      {busy && (
        <Progress
          className="mt-2"
          label="Imported models"
          value={models.length === 0 ? null : ended.length / models.length}
        />
      )}
      <ul className="mt-2 space-y-1 text-table">
        {models.map(({ name, result }) => (
          <li key={name} className="flex flex-wrap gap-x-2">
            <span className="font-mono wrap-anywhere">{name}</span>
            <Outcome result={result} busy={busy} href={hrefOf(name)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const linkLook = "text-accent underline underline-offset-2";

function Outcome({ result, busy, href }: { result: ImportedModel["result"]; busy: boolean; href: string }) {
  switch (result.state) {
    case "waiting":
      return <span className="text-muted">{busy ? "waits" : "not imported: you stopped before it"}</span>;
    case "importing":
      return <span className="text-muted">is read…</span>;
    case "added":
      return (
        <span>
          added as{" "}
          <Link className={linkLook} href={`/operator/models/${result.id}`}>
            {result.id}
          </Link>
        </span>
      );
    case "known":
      return (
        <span className="text-muted">
          was there already:{" "}
          <Link className={linkLook} href={`/operator/models/${result.id}`}>
            {result.id}
          </Link>
        </span>
      );
    case "failed":
      return (
        <span>
          <span className="text-bad">{result.failure.message}</span>{" "}
          <Link className={linkLook} href={href}>
            Import it by hand
          </Link>
        </span>
      );
  }
}
