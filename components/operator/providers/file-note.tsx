import type { OperatorProviderList } from "#contract/operator/providers.ts";

/** Where the providers file is, and why its last change is not in use. */
export function FileNote({ file }: { file: OperatorProviderList["file"] }) {
  if (!file) return null;
  return (
    <div className="mb-4 space-y-2 text-table text-muted">
      <p>
        <code className="wrap-anywhere">{file.path}</code> is read again when it changes. The file takes
        precedence over the console.
      </p>
      {file.problem && (
        <p role="alert" className="rounded-panel border border-bad bg-bad-soft p-3 text-ink wrap-anywhere">
          Its last change is not in effect: {file.problem}
        </p>
      )}
    </div>
  );
}
