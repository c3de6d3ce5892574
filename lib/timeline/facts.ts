import type { Fact } from "./row.ts";

type Candidate = Omit<Fact, "value"> & { value: string | number | null | undefined };

/** Drops repeated facts: an event's detail often repeats the prediction's own. */
export function distinctFacts(facts: Fact[]): Fact[] {
  return facts.filter((fact, index) => facts.findIndex((other) => other.value === fact.value) === index);
}

/** Keeps the facts that have a value. */
export function factsOf(candidates: Candidate[]): Fact[] {
  return candidates.filter(
    (fact): fact is Fact => fact.value !== null && fact.value !== undefined && fact.value !== "",
  );
}

/** The free detail of an event: keys as words, nested values as JSON, so that nothing unknown is lost. */
export function detailFacts(detail: Record<string, unknown> | null | undefined): Fact[] {
  return Object.entries(detail ?? {}).flatMap(([key, value]): Fact[] => {
    if (value === null || value === undefined) return [];
    const label = key.replaceAll("_", " ");
    if (typeof value === "object") return [{ label, value: JSON.stringify(value), form: "code" }];
    if (key.endsWith("_ms") && typeof value === "number") {
      return [{ label: label.slice(0, -" ms".length), value, form: "duration" }];
    }
    if (key.endsWith("_bytes") && typeof value === "number") {
      return [{ label: label.slice(0, -" bytes".length), value, form: "bytes" }];
    }
    return [{ label, value: String(value), form: key.endsWith("_id") || key === "id" ? "id" : "text" }];
  });
}
