"use client";

import { LogIn } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOutsideSession } from "@/lib/browser/action-answer";
import type { GatewayResult } from "@/lib/gateway/result";
import { OrDivider } from "./or-divider.tsx";

interface JoinWithProviderProps {
  name: string;
  email: string;
  /** Answers with the provider's address. */
  leave: () => Promise<GatewayResult<string>>;
}

/** Accepts an invitation with the identity provider, which must vouch for the address. */
export function JoinWithProvider({ name, email, leave }: JoinWithProviderProps) {
  const { busy, failure, send } = useSend();
  const go = async () => {
    const answer = await send(() => answerOutsideSession(leave()), { leaves: true });
    if (answer.ok) window.location.assign(answer.data);
  };
  return (
    <div>
      {failure && <ErrorPanel error={failure} />}
      <Button
        variant="primary"
        className="w-full"
        busy={busy}
        icon={<LogIn size={16} aria-hidden />}
        onClick={go}
      >
        Join with {name}
      </Button>
      <p className="mt-2 text-meta text-muted wrap-anywhere">
        Your account there must have the address {email}.
      </p>
      <OrDivider />
    </div>
  );
}
