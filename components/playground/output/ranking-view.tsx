import { RowsTable } from "@/components/ui/list/rows-table";

interface Ranked {
  index: number;
  score: number;
}

/** Texts, best first, each with its score and its position in the request. */
export function RankingView({ results, documents }: { results: readonly Ranked[]; documents: unknown }) {
  const texts = Array.isArray(documents) ? documents : [];
  return (
    <RowsTable
      label="Ranking"
      rows={results.map((result, place) => ({ id: String(result.index), place: place + 1, ...result }))}
      columns={[
        { head: "Place", numeric: true, cell: ({ place }) => place },
        { head: "Text", cellClass: "wrap-anywhere", cell: ({ index }) => textOf(texts[index]) },
        { head: "Score", numeric: true, cell: ({ score }) => score.toFixed(3) },
        {
          head: "Position in the request",
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
