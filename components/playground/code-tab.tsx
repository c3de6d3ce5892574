"use client";

import { useMemo } from "react";
import type { ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import type { CatalogOperation } from "#contract/catalog.ts";
import { useWords } from "#words";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { answerOf } from "@/lib/browser/action-answer";
import { addKey } from "@/lib/gateway/secret-actions";
import { keyVariable, withKey } from "@/lib/key-variable";
import type { JsonObject } from "@/lib/schema-form/json";
import { snippetsFor } from "@/lib/schema-form/snippets/snippets";

interface CodeTabProps {
  model: string;
  operation: CatalogOperation;
  body: JsonObject | null;
  baseUrl: string;
  /** The key that the user created for this code on this visit. */
  madeKey: ApiKeyWithSecret | null;
  onKey: (key: ApiKeyWithSecret) => void;
}

/** The permissions that the code needs: to run, read the result and upload files. */
const scopes = ["inference", "predictions", "uploads"] as const;

const maxNameLength = 100;

/** The request as code for other programs. */
export function CodeTab({ model, operation, body, baseUrl, madeKey, onKey }: CodeTabProps) {
  const t = useWords("playground");
  const tabs = useMemo(() => {
    const plain = body ? snippetsFor({ operation, body, baseUrl }) : null;
    if (!plain || !madeKey) return plain;
    // Other people may see the screen, so only the copied code contains the whole key.
    return plain.map(({ code, ...tab }) => ({
      ...tab,
      code: withKey(code, madeKey.hint),
      copied: withKey(code, madeKey.secret),
    }));
  }, [operation, body, baseUrl, madeKey]);
  if (!tabs) return <p className="text-muted">{t("fixTheJsonToSee")}</p>;
  return (
    <div className="flex flex-col gap-3">
      <CodeKey model={model} made={madeKey} onMade={onKey} />
      <CodeBlock tabs={tabs} label={t("codeForThisRequest")} />
    </div>
  );
}

interface CodeKeyProps {
  model: string;
  made: ApiKeyWithSecret | null;
  onMade: (key: ApiKeyWithSecret) => void;
}

/** Creates a key for the code of one model and puts the key into the code. */
function CodeKey({ model, made, onMade }: CodeKeyProps) {
  const t = useWords("playground");
  const { busy, failure, send } = useSend();
  const make = async () => {
    const name = t("codeForModel", { model }).slice(0, maxNameLength);
    const answer = await send(() => answerOf(addKey({ name, models: [model], scopes: [...scopes] })));
    if (answer.ok) onMade(answer.data);
  };
  if (made)
    return (
      <p role="status" className="rounded-control border bg-good-soft px-3 py-2 text-table">
        {t.rich(
          "theCodeHasTheNewKey",
          { name: made.name },
          {
            link: (content) => (
              <Link key="link" href="/keys" className="underline">
                {content}
              </Link>
            ),
          },
        )}
      </p>
    );
  return (
    <>
      {failure && <ErrorPanel error={failure} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Permitted to="keys:own">
          <Button size="sm" variant="primary" busy={busy} onClick={() => void make()}>
            {t("createAKeyForThis")}
          </Button>
        </Permitted>
        <p className="min-w-0 flex-1 basis-56 text-meta text-muted">
          {t.rich(
            "thisCodeSendsTheSame",
            { variable: keyVariable },
            { code: (content) => <code key="code">{content}</code> },
          )}
        </p>
      </div>
    </>
  );
}
