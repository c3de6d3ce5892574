import { Select } from "@/components/ui/form/input";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { formatCount } from "@/lib/format";

interface BillModelsProps {
  /** What the bill calls its models. */
  names: readonly string[];
  /** Ours, by those names. */
  models: ReadonlyMap<string, string>;
  known: readonly string[];
  onChoose: (name: string, model: string) => void;
}

/** Which of our models each name of the bill means; folded while all of them are known. */
export function BillModels({ names, models, known, onChoose }: BillModelsProps) {
  const unknown = names.filter((name) => !models.has(name)).length;
  return (
    <details open={unknown > 0 && unknown < 20}>
      <summary className="w-fit rounded-control text-table">
        {formatCount(names.length, "name")} of the bill
        {unknown > 0 ? `, ${unknown} of them without a model here` : ", all of them known here"}
      </summary>
      <div className="mt-2 max-w-3xl">
        <Table label="Names of the bill">
          <thead>
            <tr>
              <Th>On the bill</Th>
              <Th>Model here</Th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <Tr key={name}>
                <Td className="max-w-80 font-mono wrap-anywhere">{name || "(empty)"}</Td>
                <Td className="min-w-48">
                  <Select
                    aria-label={`Model of ${name || "the empty name"}`}
                    value={models.get(name) ?? ""}
                    onChange={(event) => onChoose(name, event.currentTarget.value)}
                  >
                    <option value="">None: it is not ours</option>
                    {known.map((model) => (
                      <option key={model} value={model}>
                        {model}
                      </option>
                    ))}
                  </Select>
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    </details>
  );
}
