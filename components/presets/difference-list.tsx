import { type Difference, mostDifferences } from "@/lib/presets/differences";

/** What two versions have differently, field by field. */
export function DifferenceList({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return <p className="text-muted">These two versions are the same.</p>;
  return (
    <>
      <dl className="divide-y rounded-panel border bg-panel">
        {differences.map((difference) => (
          <div
            key={difference.path}
            className="grid gap-x-4 gap-y-1 px-3 py-2 tablet:grid-cols-[minmax(120px,220px)_1fr]"
          >
            <dt className="font-medium wrap-anywhere">{difference.field}</dt>
            <dd className="min-w-0 whitespace-pre-wrap wrap-anywhere">
              <Change difference={difference} />
            </dd>
          </div>
        ))}
      </dl>
      {differences.length === mostDifferences && (
        <p className="mt-2 text-meta text-muted">These are the first {mostDifferences} differences.</p>
      )}
    </>
  );
}

function Change({ difference }: { difference: Difference }) {
  switch (difference.kind) {
    case "added":
      return (
        <>
          <span className="text-muted">was not set, is now </span>
          <Added>{difference.to}</Added>
        </>
      );
    case "removed":
      return (
        <>
          <span className="text-muted">was </span>
          <Removed>{difference.from}</Removed>
          <span className="text-muted">, is not set any more</span>
        </>
      );
    case "changed":
      return (
        <>
          <span className="text-muted">from </span>
          <Removed>{difference.from}</Removed>
          <span className="text-muted"> to </span>
          <Added>{difference.to}</Added>
        </>
      );
    case "text":
      return difference.parts.map(({ kind, text }, at) => {
        const Part = { same: "span", removed: Removed, added: Added }[kind] as typeof Added;
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order
        return <Part key={at}>{text}</Part>;
      });
  }
}

function Removed({ children }: { children: string }) {
  return <del className="rounded-sm bg-bad-soft decoration-bad">{children}</del>;
}

function Added({ children }: { children: string }) {
  return <ins className="rounded-sm bg-good-soft no-underline">{children}</ins>;
}
