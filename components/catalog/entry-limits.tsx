import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { Facts } from "@/components/ui/facts";
import { formatNumber } from "@/lib/format";
import { limitName, limitText } from "./limit-labels.ts";

const modelLimits = [
  ["context_window_tokens", "tokens"],
  ["max_input_tokens", "tokens"],
  ["max_output_tokens", "tokens"],
  ["max_gateway_request_bytes", "bytes"],
] as const;

/** What the gateway enforces beyond the schema. */
export function EntryLimits({ model, operation }: { model: CatalogModel; operation: CatalogOperation }) {
  const facts = [
    ...Object.entries(operation.limits).map(
      ([name, value]) => [limitName(name), limitText(name, value)] as const,
    ),
    ...modelLimits.flatMap(([name, unit]) => {
      const value = model[name];
      return value === undefined ? [] : [[limitName(name), `${formatNumber(value)} ${unit}`] as const];
    }),
  ];
  const unique = [...new Map(facts).entries()];
  return (
    <>
      <p className="mb-3 text-muted">Requests above these limits are rejected with 400 or 413.</p>
      {unique.length > 0 ? (
        <Facts facts={unique} />
      ) : (
        <p className="text-muted">This operation has no specific limits.</p>
      )}
    </>
  );
}
