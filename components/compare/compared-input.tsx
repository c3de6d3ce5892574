import { InputThumbs } from "@/components/predictions/input-thumbs";
import { Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/page/section";
import { Skeleton } from "@/components/ui/page/skeleton";
import { mediaIn } from "@/lib/schema-form/input-media";
import type { JsonObject } from "@/lib/schema-form/json";

const longest = 240;

interface ComparedInputProps {
  input: JsonObject | null;
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
}

/** The input that all models get; its files as pictures, never as the text that holds them. */
export function ComparedInput({ input, baseUrl }: ComparedInputProps) {
  const shown = (name: string, value: unknown) =>
    mediaIn({ [name]: value }, baseUrl, 1).length > 0 ? (
      <InputThumbs input={{ [name]: value }} baseUrl={baseUrl} />
    ) : (
      shortened(value)
    );
  return (
    <Section title="Input" className="mb-0!">
      {input ? (
        <Facts facts={Object.entries(input).map(([name, value]) => [name, shown(name, value)] as const)} />
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
