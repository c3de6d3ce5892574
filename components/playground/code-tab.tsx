"use client";

import { useMemo } from "react";
import type { CatalogOperation } from "#contract/catalog.ts";
import { CodeBlock } from "@/components/ui/code-block";
import type { JsonObject } from "@/lib/schema-form/json";
import { snippetsFor } from "@/lib/schema-form/snippets/snippets";

interface CodeTabProps {
  operation: CatalogOperation;
  body: JsonObject | null;
  baseUrl: string;
}

/** The same request from elsewhere. */
export function CodeTab({ operation, body, baseUrl }: CodeTabProps) {
  const tabs = useMemo(
    () => (body ? snippetsFor({ operation, body, baseUrl }) : null),
    [operation, body, baseUrl],
  );
  if (!tabs) return <p className="text-muted">Mend the JSON first; the code follows it.</p>;
  return (
    <div className="flex flex-col gap-2">
      <CodeBlock tabs={tabs} label="Code for this request" />
      <p className="text-meta text-muted">
        It sends what Run would send. Put an account key into the variable <code>SVC_API_KEY</code>; none is
        written here.
      </p>
    </div>
  );
}
