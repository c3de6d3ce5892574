import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import type { GatewayFailure } from "@/lib/gateway/result";

interface AttestRefusedProps {
  error: GatewayFailure | null;
  /** The caller signed in with an account key. */
  needsUser?: boolean;
  onRetry?: () => void;
  onClose: () => void;
}

const userCodes = new Set(["user_session_required", "insufficient_scope"]);

/** Why nothing can be attested here, and who can. */
export function AttestRefused({ error, needsUser = false, onRetry, onClose }: AttestRefusedProps) {
  return (
    <div className="space-y-3 text-base text-ink">
      {needsUser || userCodes.has(error?.code ?? "") ? (
        <KeySignIn />
      ) : error?.code === "route_not_found" ? (
        <p>
          This gateway does not accept attestations through its API. Ask the operator how to record yours.
        </p>
      ) : error ? (
        <ErrorPanel error={error} {...(onRetry && { onRetry })} />
      ) : (
        <p>This gateway has no statement for this attestation. Ask the operator to add one.</p>
      )}
      <div className="flex justify-end">
        <Button variant="secondary" onClick={onClose}>
          Back to form
        </Button>
      </div>
    </div>
  );
}

function KeySignIn() {
  return (
    <>
      <p>
        <strong className="font-semibold">Sign in with e-mail and password to attest.</strong> You are signed
        in with an account key. Attestations must be made by a person.
      </p>
      <p className="text-muted">
        Runs with a service key pass this check once the owner or admin who is responsible for it has
        attested. Your draft is kept in this browser.
      </p>
    </>
  );
}
