"use client";

import { Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { Button, IconButton, LinkButton } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { FilterBar, FilterSelect } from "@/components/ui/list/filter-bar";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Section } from "@/components/ui/page/section";
import { WithBreaks } from "@/components/ui/with-breaks";
import { removeRoute } from "@/lib/operator/actions";
import { kindLabel } from "@/lib/operator/provider-labels";
import type { MappedOperation } from "@/lib/operator/route-entry";
import { listText } from "@/lib/words/list-text";
import { useChange } from "../use-change.ts";

interface OperationsTableProps {
  operations: readonly MappedOperation[];
  /** How operations without a route are handled. */
  unmapped: "sandbox" | "refuse";
}

/** Every operation and where it runs. */
export function OperationsTable({ operations, unmapped }: OperationsTableProps) {
  const t = useWords("mapping");
  const shared = useWords("operator");
  const [text, setText] = useQueryState("q", parseAsString.withDefault(""));
  const [state, setState] = useState("");
  const wanted = text.trim().toLowerCase();
  const shown = operations.filter(
    ({ model, apiType, chain }) =>
      (state === "" || (state === "mapped") === chain.length > 0) &&
      [model, apiType, kindLabel(shared, apiType), ...chain.map(({ provider }) => provider)].some((word) =>
        word.includes(wanted),
      ),
  );
  const active = Number(wanted !== "") + Number(state !== "");
  const without = unmapped === "sandbox" ? t("sandbox") : t("refused");
  return (
    <Section
      title={t("operations")}
      description={
        unmapped === "sandbox" ? t("operationsThatAreNotMapped") : t("operationsThatAreNotMapped2")
      }
    >
      <FilterBar
        active={active}
        onClear={() => {
          void setText(null);
          setState("");
        }}
        summary={t("shownOf", { shown: shown.length, all: operations.length })}
      >
        <Input
          type="search"
          aria-label={t("searchOperations")}
          placeholder={t("modelKindOrProvider")}
          className="max-w-64 max-tablet:max-w-none"
          value={text}
          onChange={(event) => void setText(event.currentTarget.value || null)}
        />
        <FilterSelect
          label={t("mapped")}
          any={t("mappedOrNot")}
          value={state}
          options={[
            { value: "mapped", label: t("mapped") },
            { value: "unmapped", label: t("notMapped") },
          ]}
          onChange={setState}
        />
      </FilterBar>
      <Table label={t("operations")}>
        <thead>
          <tr>
            <Th>{t("model")}</Th>
            <Th>{t("operation")}</Th>
            <Th>{t("runsAt")}</Th>
            <Th>
              <span className="sr-only">{t("actions")}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ model, apiType, chain }) => (
            <Tr key={`${model}:${apiType}`}>
              <Td className="font-mono">
                <WithBreaks text={model} before="/" />
              </Td>
              <Td label={t("operation")}>{kindLabel(shared, apiType)}</Td>
              <Td>
                {chain.length === 0 ? (
                  <span className="text-muted">{without}</span>
                ) : (
                  <ol className="space-y-0.5">
                    {chain.map(({ routeId, provider, upstreamModel, regions }) => (
                      <li
                        key={routeId}
                        className="wrap-anywhere"
                        title={listText(t.language, regions, "plain")}
                      >
                        {provider} <span className="font-mono text-meta text-muted">{upstreamModel}</span>
                      </li>
                    ))}
                  </ol>
                )}
              </Td>
              <Td className="text-right">
                <LinkButton
                  size="sm"
                  variant="ghost"
                  aria-label={t("mapModel", { model })}
                  href={`/operator/mapping/new?model=${encodeURIComponent(model)}`}
                >
                  {t("map")}
                </LinkButton>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

/** Removes a route at once. The toast has a button to undo it. */
export function RemoveRouteButton({ id, what, revision }: { id: string; what: string; revision: number }) {
  const t = useWords("mapping");
  const { busy, press } = useChange();
  return (
    <IconButton
      size="sm"
      label={t("removeTheRouteToWhat", { what })}
      icon={<Trash2 size={14} aria-hidden />}
      busy={busy}
      onClick={() => void press(removeRoute(id, revision), t("routeRemoved", { what }))}
    />
  );
}

const MapAllDialog = dynamic(() => import("./map-all-dialog.tsx").then((module) => module.MapAllDialog), {
  ssr: false,
});

/** "Map all chat models to …" in one step. */
export function MapAllButton({ providers }: { providers: readonly OperatorProvider[] }) {
  const t = useWords("mapping");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t("mapAll2")}</Button>
      {open && <MapAllDialog providers={providers} onClose={() => setOpen(false)} />}
    </>
  );
}
