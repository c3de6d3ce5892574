import { Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import type { JsonObject } from "@/lib/schema-form/json";

const longest = 240;

/** The input that all models get. */
export function ComparedInput({ input }: { input: JsonObject | null }) {
  return (
    <Section title="Input" className="mb-0!">
      {input ? (
        <Facts facts={Object.entries(input).map(([name, value]) => [name, shortened(value)] as const)} />
      ) : (
        <Skeleton className="h-32" />
      )}
    </Section>
  );
}

function shortened(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
