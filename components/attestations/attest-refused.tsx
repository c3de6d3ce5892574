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
          This gateway does not take attestations over its API. Ask its operator how yours can be recorded.
        </p>
      ) : error ? (
        <ErrorPanel error={error} {...(onRetry && { onRetry })} />
      ) : (
        <p>The gateway offers no statement for this check, so nothing can be confirmed. Ask its operator.</p>
      )}
      <div className="flex justify-end">
        <Button variant="secondary" onClick={onClose}>
          Back to the form
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
        in with an account key, and a key cannot attest anything: the record must name the person who
        confirmed it.
      </p>
      <p className="text-muted">
        Once a user of this account has attested, runs with its keys pass this check as well. Your draft stays
        in this browser meanwhile.
      </p>
    </>
  );
}
