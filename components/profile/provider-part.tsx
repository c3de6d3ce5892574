"use client";

import { Link2 } from "lucide-react";
import { useState } from "react";
import type { Identity } from "#contract/accounts/oidc.ts";
import { Button } from "@/components/ui/button";
import { buttonLook } from "@/components/ui/form/control-look";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/use-place";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

interface ProviderPartProps {
  /** The provider's name. */
  name: string;
  /** The person's identities at the provider; empty until they link one. */
  identities: Identity[];
}

/** Links the identity provider to the signed-in person, or unlinks it. */
export function ProviderPart({ name, identities }: ProviderPartProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [ending, setEnding] = useState<string | null>(null);

  const end = async (id: string) => {
    setEnding(id);
    const answer = await answerOf(act("DELETE /account/identities/{id}", { params: { id } }));
    setEnding(null);
    if (answer.ok) toast({ title: `${name} unlinked` });
    else toast(await failureToast(answer.error, `Could not unlink ${name}`));
    router.refresh();
  };

  if (identities.length === 0)
    return (
      // A plain link: Next would prefetch it, and each fetch starts a sign-in.
      <a href="/sign-in/provider?purpose=link&from=%2Fsettings%2Fprofile" className={buttonLook()}>
        <Link2 size={16} aria-hidden />
        {`Link ${name}`}
      </a>
    );
  return (
    <ul className="flex flex-col gap-2">
      {identities.map(({ id, email, linked_at, last_signed_in_at }) => (
        <li key={id} className="flex flex-wrap items-center gap-3">
          <span className="min-w-0 flex-1">
            <span className="font-medium wrap-anywhere">{email ?? name}</span>
            <span className="block text-table text-muted">
              {last_signed_in_at ? "Last signed in " : "Linked "}
              <Time value={last_signed_in_at ?? linked_at} />
            </span>
          </span>
          <Button size="sm" busy={ending === id} onClick={() => end(id)}>
            Unlink
          </Button>
        </li>
      ))}
    </ul>
  );
}
