"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { RouteEntry, RoutePreview } from "#contract/operator/routes.ts";
import { CodeBlock } from "@/components/ui/code-block";
import { Select } from "@/components/ui/form/input";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { answerOf } from "@/lib/browser/action-answer";
import { failureBehind, orThrow } from "@/lib/browser/fetch-from-gateway";
import { act } from "@/lib/gateway/act";
import { useDebouncedText } from "../use-debounced-text.ts";

interface RequestPreviewProps {
  /** Null while something is missing. */
  entry: RouteEntry | null;
}

/** Previews the request that the route would send for the entry's example, while typing. */
export function RequestPreview({ entry }: RequestPreviewProps) {
  const [model, setModel] = useState("");
  const chosen = entry?.models.includes(model) ? model : (entry?.models[0] ?? "");
  const text = useDebouncedText(useMemo(() => (entry ? JSON.stringify(entry) : ""), [entry]));
  const { data, error } = useQuery({
    queryKey: ["operator", "preview", text, chosen],
    queryFn: async () =>
      orThrow(
        await answerOf(
          act("POST /operator/routes/preview", {
            body: { route: JSON.parse(text) as RouteEntry, model: chosen },
          }),
        ),
      ),
    enabled: text !== "" && chosen !== "",
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
  });
  const failure = failureBehind(error);
  return (
    <Section
      title="What is sent"
      description="For the model's example input. Nothing is sent."
      actions={
        entry && entry.models.length > 1 ? (
          <Select
            aria-label="Model of the preview"
            className="max-w-56"
            value={chosen}
            onChange={(event) => setModel(event.currentTarget.value)}
          >
            {entry.models.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </Select>
        ) : undefined
      }
    >
      {!entry && <p className="text-muted">Choose models, a provider and its model to see the request.</p>}
      {entry && failure && <ErrorPanel error={failure} />}
      {entry && !failure && data && (
        <CodeBlock label="Upstream request" language="http" code={requestText(data)} wrap />
      )}
    </Section>
  );
}

function requestText({ request }: RoutePreview): string {
  const { method, url, headers, json, form } = request;
  const head = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const body = json
    ? JSON.stringify(json, null, 2)
    : (form ?? [])
        .map(
          ({ name, value, file }) =>
            `${name}=${file ? `@${file.name} (${file.content_type})` : (value ?? "")}`,
        )
        .join("\n");
  return body ? `${head.join("\n")}\n\n${body}` : head.join("\n");
}
