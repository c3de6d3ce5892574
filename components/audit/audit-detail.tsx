/** The facts of a change in one line each; lists of words with commas, other nested ones as JSON. */
export function AuditDetail({ detail }: { detail: Record<string, unknown> | null }) {
  const facts = Object.entries(detail ?? {});
  if (facts.length === 0) return <span className="text-faint">–</span>;
  return (
    <dl className="text-meta">
      {facts.map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="shrink-0 text-muted">{name.replaceAll("_", " ")}</dt>
          <dd className={`min-w-0 wrap-anywhere ${name.endsWith("id") ? "font-mono" : ""}`}>
            {textOf(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
  return JSON.stringify(value) ?? "";
}
