"use client";

import type { ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { answerOf } from "@/lib/browser/action-answer";
import { addKey } from "@/lib/gateway/secret-actions";
import { keyVariable } from "@/lib/key-variable";

/** The permissions that the code needs: to run, read the result and upload files. */
const scopes = ["inference", "predictions", "uploads"] as const;
const maxNameLength = 100;

interface CodeKeyProps {
  model: string;
  made: ApiKeyWithSecret | null;
  onMade: (key: ApiKeyWithSecret) => void;
}

/** Creates a key for the code of one model and puts the key into the code. */
export function CodeKey({ model, made, onMade }: CodeKeyProps) {
  const { busy, failure, send } = useSend();
  const make = async () => {
    const name = `Code for ${model}`.slice(0, maxNameLength);
    const answer = await send(() => answerOf(addKey({ name, models: [model], scopes: [...scopes] })));
    if (answer.ok) onMade(answer.data);
  };
  if (made)
    return (
      <p role="status" className="rounded-control border bg-good-soft px-3 py-2 text-table">
        The code that you copy has the new key “{made.name}”, for this model only. The key is visible on this
        visit only. You can revoke it under{" "}
        <Link href="/keys" className="underline">
          Keys
        </Link>
        .
      </p>
    );
  return (
    <>
      {failure && <ErrorPanel error={failure} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Permitted to="keys:own">
          <Button size="sm" variant="primary" busy={busy} onClick={() => void make()}>
            Create a key for this code
          </Button>
        </Permitted>
        <p className="min-w-0 flex-1 basis-56 text-meta text-muted">
          This code sends the same request as Run. Or set the environment variable <code>{keyVariable}</code>{" "}
          to a key that you have.
        </p>
      </div>
    </>
  );
}
