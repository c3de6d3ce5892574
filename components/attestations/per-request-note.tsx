import { Button } from "@/components/ui/button";

/** The one check that is never stored: each run answers it anew, in the form. */
export function PerRequestNote({ onClose }: { onClose: () => void }) {
  return (
    <div className="space-y-3 text-base text-ink">
      <p>
        Answer it in the form: the field <code className="font-mono text-table">person_rights_confirmed</code>
        , next to the images. Only &ldquo;yes&rdquo; lets the operation run.
      </p>
      <p className="text-muted">
        Nothing is stored and nothing is remembered: the answer counts for that one run, and the form is empty
        again for the next.
      </p>
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          Back to the form
        </Button>
      </div>
    </div>
  );
}
