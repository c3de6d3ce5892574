import { Button } from "@/components/ui/button";

/** The one check that is never stored: each run answers it anew, in the form. */
export function PerRequestNote({ onClose }: { onClose: () => void }) {
  return (
    <div className="space-y-3 text-base text-ink">
      <p>
        Tick the confirmation in the form; in a request it is{" "}
        <code className="font-mono text-table">person_rights_confirmed</code>. The operation does not run
        without it.
      </p>
      <p className="text-muted">Your answer applies to one run only and is not saved.</p>
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          Back to form
        </Button>
      </div>
    </div>
  );
}
