import type { ReactNode } from "react";
import { useFormats, useWords } from "#words";
import { CopyButton } from "@/components/ui/copy-button";
import { JsonView } from "@/components/ui/json-view";
import { RowsTable } from "@/components/ui/list/rows-table";
import { Time } from "@/components/ui/time";
import { similarity } from "@/lib/browser/runs/vectors";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import { wordsOfKey } from "@/lib/schema-form/labels";

/** The table shows at most this many vectors. The Raw tab has all. */
const maxShown = 50;

const shownNumbers = 4;

/** The first numbers of each vector, and each text's similarity to the first. */
export function VectorsView({ vectors, input }: { vectors: readonly number[][]; input: unknown }) {
  const t = useWords("playground");
  const format = useFormats();
  const texts = Array.isArray(input) && typeof input[0] !== "number" ? input : [input];
  const [first = []] = vectors;
  const rows = vectors.slice(0, maxShown).map((vector, index) => ({ id: String(index), index, vector }));
  return (
    <>
      <RowsTable
        label={t("vectors")}
        rows={rows}
        columns={[
          {
            head: t("text"),
            cellClass: "max-w-80 wrap-anywhere",
            cell: ({ index }) => excerptOf(texts[index]),
          },
          vectors.length > 1 && {
            head: t("similarityToTheFirst"),
            numeric: true,
            cell: ({ vector }) => format.percent(similarity(first, vector) * 100, 0),
          },
          {
            head: t("begins"),
            className: "max-tablet:hidden",
            cellClass: "font-mono text-meta",
            cell: ({ vector }) => vector.slice(0, shownNumbers).map(shortened).join(", "),
          },
          { head: t("numbers"), numeric: true, cell: ({ vector }) => vector.length },
          {
            head: <span className="sr-only">{t("copy")}</span>,
            cell: ({ index, vector }) => (
              <CopyButton value={JSON.stringify(vector)} label={t("copyVector", { number: index + 1 })} />
            ),
          },
        ]}
      />
      {vectors.length > maxShown && (
        <p className="text-meta text-muted">
          {t("theFirstOfCount", { shown: maxShown, count: vectors.length })}
        </p>
      )}
    </>
  );
}

const excerptLength = 120;

function excerptOf(text: unknown): string {
  const whole = typeof text === "string" ? text : JSON.stringify(text ?? "");
  return whole.length > excerptLength ? `${whole.slice(0, excerptLength)}…` : whole;
}

function shortened(value: number): string {
  return value.toFixed(4);
}

interface Ranked {
  index: number;
  score: number;
}

/** Texts, best first, each with its score and its position in the request. */
export function RankingView({ results, documents }: { results: readonly Ranked[]; documents: unknown }) {
  const t = useWords("playground");
  const texts = Array.isArray(documents) ? documents : [];
  return (
    <RowsTable
      label={t("ranking")}
      rows={results.map((result, place) => ({ id: String(result.index), place: place + 1, ...result }))}
      columns={[
        { head: t("place"), numeric: true, cell: ({ place }) => place },
        { head: t("text"), cellClass: "wrap-anywhere", cell: ({ index }) => textOf(texts[index]) },
        { head: t("score"), numeric: true, cell: ({ score }) => score.toFixed(3) },
        {
          head: t("positionInTheRequest"),
          numeric: true,
          className: "max-phone:hidden",
          cell: ({ index }) => index + 1,
        },
      ]}
    />
  );
}

function textOf(document: unknown): string {
  if (typeof document === "string") return document;
  const { text } = (document ?? {}) as { text?: unknown };
  return typeof text === "string" ? text : "–";
}

/** Voices as a list. Any other answer is shown as JSON. */
export function VoicesView({ action, data }: { action: string; data: unknown }) {
  const t = useWords("playground");
  const voices = voicesIn(data);
  if (!voices) return <JsonView value={data} label={t("answerToAction", { action })} />;
  if (voices.length === 0) return <p className="text-muted">{t("noVoicesYetChooseCreate")}</p>;
  return (
    <ul aria-label={t("voices")} className="divide-y rounded-panel border">
      {/* The badge above the output already says that the sandbox answered. */}
      {voices.map(({ voice, voice_id = voice, sandbox: _sandbox, ...facts }, row) => (
        <li key={String(voice_id ?? row)} className="px-3 py-1.5">
          {voice_id !== undefined && (
            <p translate="no" className="flex items-center gap-1 font-mono">
              <span className="min-w-0 wrap-anywhere">{String(voice_id)}</span>
              <CopyButton value={String(voice_id)} label={t("copyVoice", { voice: String(voice_id) })} />
            </p>
          )}
          <p className="flex flex-wrap gap-x-3 text-meta text-muted">
            {Object.entries(facts)
              .filter(([, value]) => value !== null && typeof value !== "object")
              .map(([key, value]) => (
                <span key={key} className="wrap-anywhere">
                  {wordsOfKey(key.replace(/_at$/, ""))} <span className="text-ink">{factOf(value)}</span>
                </span>
              ))}
          </p>
        </li>
      ))}
    </ul>
  );
}

function factOf(value: unknown): ReactNode {
  const isTime = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
  return isTime ? <Time value={value} /> : String(value);
}

function voicesIn(data: unknown): JsonObject[] | null {
  if (Array.isArray(data)) return data.filter(isObject);
  if (!isObject(data)) return null;
  const list = Object.values(data).find((value) => Array.isArray(value) && value.every(isObject));
  if (Array.isArray(list)) return list.filter(isObject);
  return typeof data.voice === "string" ? [data] : null;
}
