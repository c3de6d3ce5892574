"use client";

import { useState } from "react";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { Button, LinkButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Input } from "@/components/ui/form/input";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { formatCount } from "@/lib/format";
import { useUpstreamModels } from "../use-upstream-models.ts";
import { ImportResults } from "./import-results.tsx";
import { useImportMany } from "./use-import-many.ts";

interface UpstreamModelsProps {
  provider: OperatorProvider;
  /** Some were added to the catalog. */
  onImported?: () => void;
}

/** What the provider lists, each with the way into the catalog. */
export function UpstreamModels({ provider, onImported }: UpstreamModelsProps) {
  const [text, setText] = useState("");
  // By name, so that a search does not lose what was ticked before.
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const imports = useImportMany(provider.name);
  const { list, failure, busy, refetch } = useUpstreamModels(provider.id, text);
  const models = list?.data ?? [];
  const runIn = `Imported models run in ${provider.credentials.map(({ region }) => region).join(", ")}.`;
  const from = `provider=${encodeURIComponent(provider.name)}`;
  const importHref = (name: string) => `/operator/models/new?${from}&name=${encodeURIComponent(name)}`;
  const tick = (name: string) =>
    setTicked(ticked.includes(name) ? ticked.filter((other) => other !== name) : [...ticked, name]);
  const importTicked = async () => {
    setTicked([]);
    await imports.start(ticked);
    onImported?.();
  };
  return (
    <Section
      title="Its models"
      description={
        {
          named: `You can also import a name that is not in the list. ${runIn}`,
          listed: `As the provider lists them. ${runIn}`,
          none: "As the provider lists them. It does not describe them, so none can be imported: map models to them.",
        }[provider.imports]
      }
      actions={
        <Input
          type="search"
          aria-label="Search its models"
          placeholder="Search"
          className="w-64! max-phone:w-full!"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      }
    >
      {imports.models.length > 0 && (
        <ImportResults
          models={imports.models}
          busy={imports.busy}
          onStop={imports.stop}
          hrefOf={importHref}
        />
      )}
      {ticked.length > 0 && (
        <div className="mb-2 flex flex-wrap items-center gap-2">
          <p className="min-w-0 flex-1 text-table text-muted">
            {formatCount(ticked.length, "model")} ticked: {ticked.join(", ")}
          </p>
          <Button size="sm" onClick={() => setTicked([])}>
            Clear
          </Button>
          <Button size="sm" variant="primary" busy={imports.busy} onClick={() => void importTicked()}>
            Import {formatCount(ticked.length, "model")}
          </Button>
        </div>
      )}
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      <p role="status" className="text-table text-muted not-empty:mb-2">
        {busy && !list ? "Asking…" : list && models.length === 0 ? "The provider lists no such model." : ""}
      </p>
      {models.length > 0 && (
        <ul className="divide-y rounded-panel border bg-panel">
          {models.map((model) => (
            <li key={model.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              {provider.imports !== "none" && (
                <Checkbox
                  hideLabel
                  label={`Tick ${model.id}`}
                  checked={ticked.includes(model.id)}
                  onChange={() => tick(model.id)}
                />
              )}
              <span className="min-w-0 flex-1 basis-56">
                <span className="block font-mono text-table wrap-anywhere">{model.id}</span>
                {model.description && (
                  <span className="line-clamp-2 block text-meta text-muted">{model.description}</span>
                )}
              </span>
              <LinkButton
                size="sm"
                aria-label={`Map models to ${model.id}`}
                href={`/operator/routes/new?${from}&upstream=${encodeURIComponent(model.id)}`}
              >
                Map
              </LinkButton>
              {provider.imports !== "none" && (
                <LinkButton size="sm" aria-label={`Import ${model.id}`} href={importHref(model.id)}>
                  Import
                </LinkButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {list?.has_more && (
        <p className="mt-2 text-meta text-muted">There are more. Type to narrow the list.</p>
      )}
    </Section>
  );
}
