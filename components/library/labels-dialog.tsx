"use client";

import type { Output } from "#contract/outputs.ts";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { LabelsForm } from "./labels-form.tsx";
import { useLibraryChanges } from "./use-library-changes.ts";

/** Adds labels to a file that was just kept. */
export function LabelsDialog({ output, onClose }: { output: Output; onClose: () => void }) {
  const { busy, failure, keep } = useLibraryChanges();
  return (
    <FormDialog
      open
      busy={busy}
      onClose={onClose}
      size="sm"
      title="Kept in the library"
      description={
        <>
          This copy stays when the run’s own file is removed. See it in the{" "}
          <Link href="/library" className="text-accent underline">
            library
          </Link>
          .
        </>
      }
    >
      {failure && <ErrorPanel error={failure} />}
      <LabelsForm
        labels={output.kept?.labels ?? []}
        busy={busy}
        onSave={(labels) => void keep(output.id, { labels }).then((saved) => saved && onClose())}
      />
    </FormDialog>
  );
}
