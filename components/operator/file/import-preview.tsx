import type { ProvidersFileImported } from "#contract/operator/file.ts";
import { PasswordInput } from "@/components/auth/password-input";
import { Facts } from "@/components/ui/facts";
import { Field } from "@/components/ui/form/field";

interface ImportPreviewProps {
  preview: ProvidersFileImported;
  keys: Readonly<Record<string, string>>;
  onKey: (variable: string, key: string) => void;
}

/** Whether everything in the file already exists. */
export function bringsNothing({ created, models, routes }: ProvidersFileImported): boolean {
  return created.length === 0 && models.length === 0 && routes === 0;
}

/** What an import adds, what stays, what must be fixed first, and which keys are missing. */
export function ImportPreview({ preview, keys, onKey }: ImportPreviewProps) {
  const { created, kept, models, models_kept, routes, routes_kept, missing_keys, problems, notes } = preview;
  const variables = [...new Set(missing_keys.map(({ name }) => name))];
  if (problems.length > 0)
    return (
      <div role="alert" className="space-y-2 rounded-panel border border-bad bg-bad-soft p-3">
        <p className="font-medium">Nothing can be imported until the file is fixed:</p>
        <ul className="list-disc space-y-1 pl-5 text-table wrap-anywhere">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      </div>
    );
  return (
    <div className="space-y-4">
      <Facts
        facts={[
          ["New providers", created.join(", ") || "None"],
          ...(models.length > 0 ? [["New models", models.join(", ")] as const] : []),
          ["New routes", routes > 0 ? `${routes}, after the existing ones` : "None"],
          ...(kept.length > 0 ? [["Existing providers", kept.join(", ")] as const] : []),
          ...(models_kept.length > 0 ? [["Existing models", models_kept.join(", ")] as const] : []),
          ...(routes_kept > 0 ? [["Existing routes", `${routes_kept}, same as existing`] as const] : []),
        ]}
      />
      {bringsNothing(preview) && <p>Everything in the file exists already.</p>}
      {notes.length > 0 && (
        <ul className="list-disc space-y-1 pl-5 text-table text-muted wrap-anywhere">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {variables.map((variable) => (
        <Field
          key={variable}
          required
          label={
            <>
              Key in place of <code>{variable}</code>
            </>
          }
          hint={`Of ${missing_keys
            .filter(({ name }) => name === variable)
            .map(({ provider, region }) => `${provider}, ${region}`)
            .join(
              "; ",
            )}. The variable is not set at the gateway; the key is encrypted and never shown again.`}
        >
          {(aria) => (
            <PasswordInput
              {...aria}
              what="key"
              // Not a password of this site: managers must not offer to save it.
              autoComplete="new-password"
              data-1p-ignore
              className="font-mono"
              value={keys[variable] ?? ""}
              onChange={(event) => onKey(variable, event.currentTarget.value)}
            />
          )}
        </Field>
      ))}
    </div>
  );
}
