"use client";

import { useMemo } from "react";
import type { CatalogOperation } from "#contract/catalog.ts";
import { CodeBlock } from "@/components/ui/code-block";
import { keyVariable } from "@/lib/key-variable";
import type { JsonObject } from "@/lib/schema-form/json";
import { snippetsFor } from "@/lib/schema-form/snippets/snippets";

interface CodeTabProps {
  operation: CatalogOperation;
  body: JsonObject | null;
  baseUrl: string;
}

/** The same request as code for other programs. */
export function CodeTab({ operation, body, baseUrl }: CodeTabProps) {
  const tabs = useMemo(
    () => (body ? snippetsFor({ operation, body, baseUrl }) : null),
    [operation, body, baseUrl],
  );
  if (!tabs) return <p className="text-muted">Fix the JSON to see the code.</p>;
  return (
    <div className="flex flex-col gap-2">
      <CodeBlock tabs={tabs} label="Code for this request" />
      <p className="text-meta text-muted">
        Sends the same request as Run. Set the environment variable <code>{keyVariable}</code> to an account
        key.
      </p>
    </div>
  );
}
