"use client";

import { ChevronLeft, ChevronRight, FileAudio, FileImage, FileVideo, type LucideIcon } from "lucide-react";
import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { batchRowStatuses } from "#contract/batch-constants.ts";
import type { Batch, BatchRow } from "#contract/batches.ts";
import { useWords } from "#words";
import { ConfirmationNeeded } from "@/components/attestations/confirmation-needed";
import { MoneyUse } from "@/components/keys/money-use";
import { mediaFamily } from "@/components/media/media-family";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { Thumbnail } from "@/components/media/thumbnail";
import { shownFiles } from "@/components/predictions/outputs";
import { Badge, StatusPill } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FailureInShort } from "@/components/ui/failure-in-short";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Money } from "@/components/ui/money";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Skeleton } from "@/components/ui/page/skeleton";
import { Duration } from "@/components/ui/quantity";
import { costLabel, progressLabel } from "@/lib/batches/labels";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import { formatNumber } from "@/lib/format";
import { inputTitle } from "@/lib/schema-form/messages";
import { batchRowLook } from "@/lib/status/batch";
import { usageLabel } from "@/lib/usage-label";
import { BatchHead, BatchNotices } from "./batch-actions.tsx";
import { BatchBar } from "./batch-state.tsx";
import { useBatch, useBatchRows } from "./use-batch.tsx";

const ComparisonResults = dynamic(
  () => import("@/components/compare/comparison-results").then((module) => module.ComparisonResults),
  { loading: () => null },
);

interface BatchDetailProps {
  initial: Batch;
  accountId: string;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

const limit = 50;

const MediaPreview = dynamic(
  () => import("@/components/media/media-preview").then((module) => module.MediaPreview),
  { loading: () => null },
);

/** One batch over a table: its progress, the actions, and its rows with their results. */
export function BatchDetail({ initial, accountId, baseUrl }: BatchDetailProps) {
  const t = useWords("batches");
  const reading = useBatch(initial);
  const batch = reading.data;
  return (
    <div data-wide>
      <BatchHead reading={reading} accountId={accountId}>
        {batch.models.map((model) => (
          <Badge key={model}>{model}</Badge>
        ))}
        <Badge>{batch.api_type}</Badge>
        {batch.openai && <Badge>{["OpenAI", batch.openai.endpoint].join(" ")}</Badge>}
        {Object.entries(batch.openai?.metadata ?? {}).map(([name, value]) => (
          <Badge key={name}>{`${name}: ${value}`}</Badge>
        ))}
      </BatchHead>
      <BatchNotices batch={batch} />
      <div className="mb-5">
        <p className="tabular mb-1 flex flex-wrap justify-between gap-2 text-table">
          <span>{progressLabel(t, batch.counts)}</span>
          <span className="text-muted">
            {t("usedAndCost", {
              used: usageLabel(useWords("amounts"), batch.usage),
              cost: costLabel(t, batch),
              concurrency: batch.concurrency,
            })}
          </span>
        </p>
        <BatchBar counts={batch.counts} label={t("rowsOfThisBatch")} />
        <MoneyUse budgets={batch.budgets} />
      </div>
      {batch.models.length > 1 ? (
        <ComparisonResults batch={batch} baseUrl={baseUrl} />
      ) : (
        <BatchRows batch={batch} />
      )}
    </div>
  );
}

/** The rows with their results, filtered by status. */
function BatchRows({ batch }: { batch: Batch }) {
  const t = useWords("batches");
  const states = useWords("states");
  const [status, setStatus] = useAddressChoice("status", batchRowStatuses);
  const [before, setBefore] = useState<readonly number[]>([]);
  const after = before.at(-1);
  const rows = useBatchRows(batch, {
    limit,
    ...(status && { status }),
    ...(after !== undefined && { after }),
  });
  const failure = failureBehind(rows.error);
  const choose = (next: typeof status) => {
    setBefore([]);
    setStatus(next);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: no element says "group" outside forms. */}
      <div role="group" aria-label={t("rowsByStatus")} className="mb-3 flex flex-wrap gap-1">
        <Choice
          label={t("all")}
          count={batch.counts.total}
          chosen={status === null}
          onChoose={() => choose(null)}
        />
        {batchRowStatuses.map((each) => (
          <Choice
            key={each}
            label={batchRowLook(states, each).label}
            count={batch.counts[each]}
            chosen={status === each}
            onChoose={() => choose(each)}
          />
        ))}
      </div>
      {failure && <ErrorPanel error={failure} onRetry={() => void rows.refetch()} />}
      {rows.isPending && !failure && <Skeleton className="h-40" />}
      {rows.data && rows.data.data.length === 0 && <p className="text-muted">{t("noRowsWithThisStatus")}</p>}
      {rows.data && rows.data.data.length > 0 && (
        <Table label={t("rows")}>
          <thead>
            <tr>
              <Th numeric>{t("row")}</Th>
              <Th>{t("input")}</Th>
              <Th>{t("status")}</Th>
              <Th>{t("result")}</Th>
              <Th numeric>{t("durationCost")}</Th>
            </tr>
          </thead>
          <tbody>
            {rows.data.data.map((row) => (
              <Row key={row.row} row={row} />
            ))}
          </tbody>
        </Table>
      )}
      {(after !== undefined || rows.data?.has_more) && (
        <nav aria-label={t("pagesOfRows")} className="mt-3 flex gap-2">
          {after !== undefined && (
            <Button
              size="sm"
              icon={<ChevronLeft size={14} aria-hidden />}
              onClick={() => setBefore(before.slice(0, -1))}
            >
              {t("previous")}
            </Button>
          )}
          {rows.data?.has_more && rows.data.last_row !== null && (
            <Button size="sm" onClick={() => setBefore([...before, rows.data.last_row ?? 0])}>
              {t("next")}
              <ChevronRight size={14} aria-hidden />
            </Button>
          )}
        </nav>
      )}
    </>
  );
}

/**
 * One of several choices, or none, in the page's address. Changing it sends no request and adds no history
 * step.
 */
function useAddressChoice<Choice extends string>(
  name: string,
  choices: readonly Choice[],
): [Choice | null, (choice: Choice | null) => void] {
  const search = useSearchParams();
  const chosen = choices.find((choice) => choice === search.get(name)) ?? null;
  const choose = (choice: Choice | null) => {
    const next = new URLSearchParams(search);
    if (choice === null) next.delete(name);
    else next.set(name, choice);
    const query = next.size > 0 ? `?${next}` : "";
    window.history.replaceState(null, "", window.location.pathname + query);
  };
  return [chosen, choose];
}

interface ChoiceProps {
  label: string;
  count: number;
  chosen: boolean;
  onChoose: () => void;
}

function Choice({ label, count, chosen, onChoose }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className="control-height inline-flex items-center gap-1.5 rounded-control border border-transparent px-2.5 text-table font-medium text-muted hover:text-ink aria-pressed:border-strong aria-pressed:bg-panel aria-pressed:text-ink"
    >
      {label} <span className="tabular font-normal">{formatNumber(count)}</span>
    </button>
  );
}

function Row({ row }: { row: BatchRow }) {
  const t = useWords("batches");
  const look = batchRowLook(useWords("states"), row.status);
  const took =
    row.started_at && row.completed_at ? Date.parse(row.completed_at) - Date.parse(row.started_at) : null;
  // A line of OpenAI's input file that could not be parsed has no input.
  const unread =
    row.started_at === null && row.line !== null ? t("lineOf", { line: row.line }) : t("removed");
  const without = row.gated ? t("hidden") : unread;
  const text = row.input ? (inputTitle(row.input) ?? JSON.stringify(row.input)) : without;
  return (
    <Tr>
      <Td numeric className="align-middle">
        {row.run_id?.startsWith("pred_") ? (
          <Link
            href={`/predictions/${row.run_id}`}
            className="text-accent underline-offset-2 hover:underline"
          >
            {row.row}
          </Link>
        ) : (
          row.row
        )}
      </Td>
      <Td className="w-2/5 min-w-48 align-middle" label={t("input")}>
        {row.custom_id !== null && (
          <span className="block font-mono text-meta wrap-anywhere text-muted">{row.custom_id}</span>
        )}
        <span className="line-clamp-2 wrap-anywhere" title={text}>
          {text}
        </span>
      </Td>
      <Td className="align-middle">
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
      </Td>
      <Td className="w-3/5 min-w-40 align-middle" label={t("result")}>
        <RowResult row={row} />
      </Td>
      <Td numeric className="align-middle whitespace-nowrap" label={t("durationCost")}>
        <Duration ms={took} />
        {row.cost && !row.sandbox && (
          <span className="block text-meta">
            <Money {...row.cost} />
          </span>
        )}
      </Td>
    </Tr>
  );
}

const icons: Record<string, LucideIcon> = { image: FileImage, audio: FileAudio, video: FileVideo };

/** Texts longer than this are collapsed. */
const longText = 280;

/**
 * The result of a row: text, files, or the reason why there is none. A player is loaded only when somebody
 * opens it.
 */
function RowResult({ row }: { row: BatchRow }) {
  const t = useWords("batches");
  const [open, setOpen] = useState(false);
  const text = row.text ?? (row.output && JSON.stringify(row.output));
  if (row.error)
    return (
      <p className="text-table wrap-anywhere">
        <FailureInShort failure={row.error} /> <code className="text-meta text-muted">{row.error.code}</code>
      </p>
    );
  if (row.data_removed) return <span className="text-muted">{t("deletedAfter24Hours")}</span>;
  if (text) {
    const isLong = text.length > longText;
    return (
      <div>
        <p className="whitespace-pre-wrap wrap-anywhere">
          {isLong && !open ? `${text.slice(0, longText)}…` : text}
        </p>
        {isLong && (
          <Button size="sm" variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t("showLess") : t("showAll")}
          </Button>
        )}
      </div>
    );
  }
  if (row.gated && row.status === "succeeded") return <ConfirmationNeeded model={row.model} />;
  const files = shownFiles(row.data ?? []);
  if (files.length === 0) return null;
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        {files.map((file) => (
          <Thumbnail
            key={file.url}
            preview={file.preview_url}
            icon={icons[mediaFamily(file.content_type)] ?? FileImage}
          />
        ))}
        <Button size="sm" variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t("hide") : t("showFiles", { files: files.length })}
          <span className="sr-only"> {t("ofRowRow", { row: row.row })}</span>
        </Button>
        {row.sandbox && <SandboxBadge />}
      </div>
      {open && (
        <div className="max-w-120 space-y-2">
          {files.map((file, index) => (
            <MediaPreview
              key={file.url}
              file={file}
              title={t("outputOfRow", { number: index + 1, row: row.row })}
            />
          ))}
        </div>
      )}
    </div>
  );
}
