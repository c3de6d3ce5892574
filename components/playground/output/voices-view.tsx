import { CopyButton } from "@/components/ui/copy-button";
import { JsonView } from "@/components/ui/json-view";
import { Table, Td, Th } from "@/components/ui/list/table";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import { titleOf } from "@/lib/schema-form/labels";

/** Voices as a table. Any other answer is shown as JSON. */
export function VoicesView({ action, data }: { action: string; data: unknown }) {
  const voices = voicesIn(data);
  if (!voices) return <JsonView value={data} label={`Answer to ${action}`} />;
  if (voices.length === 0) return <p className="text-muted">No voices yet. Choose “create” to add one.</p>;
  const columns = [...new Set(voices.flatMap((voice) => Object.keys(voice)))].filter((key) =>
    voices.some((voice) => !isObject(voice[key]) && !Array.isArray(voice[key])),
  );
  return (
    <Table label="Voices">
      <thead>
        <tr>
          {columns.map((column) => (
            <Th key={column}>{titleOf(column, {})}</Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {voices.map((voice, row) => (
          <tr key={String(voice.voice ?? row)}>
            {columns.map((column) => (
              <Td key={column}>
                {column === "voice" || column === "voice_id" ? (
                  <span className="inline-flex items-center font-mono">
                    {String(voice[column])}
                    <CopyButton value={String(voice[column])} label={`Copy voice ${voice[column]}`} />
                  </span>
                ) : (
                  cell(voice[column])
                )}
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function voicesIn(data: unknown): JsonObject[] | null {
  if (Array.isArray(data)) return data.filter(isObject);
  if (!isObject(data)) return null;
  const list = Object.values(data).find((value) => Array.isArray(value) && value.every(isObject));
  if (Array.isArray(list)) return list.filter(isObject);
  return typeof data.voice === "string" ? [data] : null;
}

function cell(value: unknown): string {
  return value === null || value === undefined
    ? "–"
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
}
