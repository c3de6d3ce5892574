"use client";

import { useState } from "react";
import { useSend } from "@/components/ui/form/use-send";
import { RotateDialog } from "@/components/webhooks/secret/rotate-dialog";
import { SecretDialog } from "@/components/webhooks/secret/secret-dialog";
import { answerOf } from "@/lib/browser/action-answer";
import { rotateCallbackSecret } from "@/lib/gateway/secret-actions";

/** Asks how long the old callback secret stays valid, then shows the new one. Loaded on demand. */
export function RotateCallbackSecret({ onDone }: { onDone: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, failure, send } = useSend();
  const rotate = async (overlapSeconds: number) => {
    const answer = await send(() => answerOf(rotateCallbackSecret(overlapSeconds)));
    if (answer.ok) setSecret(answer.data.key);
  };
  if (secret !== null)
    return <SecretDialog secret={secret} name="callback secret" envName="CALLBACK_SECRET" onDone={onDone} />;
  return <RotateDialog open busy={busy} failure={failure} onClose={onDone} onRotate={rotate} />;
}
