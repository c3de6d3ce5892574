"use client";

import { useMemo } from "react";
import type { ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import type { CatalogOperation } from "#contract/catalog.ts";
import { CodeBlock } from "@/components/ui/code-block";
import { withKey } from "@/lib/key-variable";
import type { JsonObject } from "@/lib/schema-form/json";
import { snippetsFor } from "@/lib/schema-form/snippets/snippets";
import { CodeKey } from "./code-key";

interface CodeTabProps {
  model: string;
  operation: CatalogOperation;
  body: JsonObject | null;
  baseUrl: string;
  /** The key that the user created for this code on this visit. */
  madeKey: ApiKeyWithSecret | null;
  onKey: (key: ApiKeyWithSecret) => void;
}

/** The request as code for other programs. */
export function CodeTab({ model, operation, body, baseUrl, madeKey, onKey }: CodeTabProps) {
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
  if (!tabs) return <p className="text-muted">Fix the JSON to see the code.</p>;
  return (
    <div className="flex flex-col gap-3">
      <CodeKey model={model} made={madeKey} onMade={onKey} />
      <CodeBlock tabs={tabs} label="Code for this request" />
    </div>
  );
}
