import { CopyButton } from "@/components/ui/copy-button";

/** HTTP headers, each value to copy. */
export function HeaderTable({ label, headers }: { label: string; headers: Record<string, string> }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <dl aria-label={label} className="rounded-panel border bg-sunken px-3 py-1.5 font-mono text-meta">
      {entries.map(([name, value]) => (
        <div key={name} className="flex min-w-0 flex-wrap items-center gap-x-2">
          <dt className="text-muted">{name}:</dt>
          <dd className="flex min-w-0 items-center gap-1 text-ink">
            <span className="min-w-0 wrap-anywhere">{value}</span>
            <CopyButton value={value} label={`Copy ${name}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
