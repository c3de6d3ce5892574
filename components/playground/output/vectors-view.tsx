import { CopyButton } from "@/components/ui/copy-button";
import { RowsTable } from "@/components/ui/list/rows-table";
import { similarity } from "@/lib/browser/runs/vectors";

/** The table shows at most this many vectors. The Raw tab has all. */
const maxShown = 50;
const shownNumbers = 4;

/** The first numbers of each vector, and each text's similarity to the first. */
export function VectorsView({ vectors, input }: { vectors: readonly number[][]; input: unknown }) {
  const texts = Array.isArray(input) && typeof input[0] !== "number" ? input : [input];
  const [first = []] = vectors;
  const rows = vectors.slice(0, maxShown).map((vector, index) => ({ id: String(index), index, vector }));
  return (
    <>
      <RowsTable
        label="Vectors"
        rows={rows}
        columns={[
          { head: "Text", cellClass: "max-w-80 wrap-anywhere", cell: ({ index }) => excerptOf(texts[index]) },
          vectors.length > 1 && {
            head: "Similarity to the first",
            numeric: true,
            cell: ({ vector }) => `${Math.round(similarity(first, vector) * 100)} %`,
          },
          {
            head: "Begins",
            className: "max-tablet:hidden",
            cellClass: "font-mono text-meta",
            cell: ({ vector }) => vector.slice(0, shownNumbers).map(shortened).join(", "),
          },
          { head: "Numbers", numeric: true, cell: ({ vector }) => vector.length },
          {
            head: <span className="sr-only">Copy</span>,
            cell: ({ index, vector }) => (
              <CopyButton value={JSON.stringify(vector)} label={`Copy vector ${index + 1}`} />
            ),
          },
        ]}
      />
      {vectors.length > maxShown && (
        <p className="text-meta text-muted">
          The first {maxShown} of {vectors.length}. All are in the Raw tab.
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
