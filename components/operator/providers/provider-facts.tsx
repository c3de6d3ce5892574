import type { OperatorProvider, ProviderKey } from "#contract/operator/providers.ts";
import { Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { formatBytes, formatDuration } from "@/lib/format";
import { cutStreamWords, keyText } from "@/lib/operator/provider-words";

const timeoutNames: Record<string, string> = {
  connect: "Connecting",
  answer: "A call that generates",
  job: "Submitting or polling a job",
  whole: "A whole answer",
  stream: "A whole stream",
  idle: "Silence within an answer",
  run: "A whole job",
};

/** One key: what may be said of it, how much it is used, and whether it rests. */
function KeyFact({ of, isOnly }: { of: ProviderKey; isOnly: boolean }) {
  const { name, share = 1, per_minute: perMinute, concurrency, set_aside: aside } = of;
  const limits = [
    `share ${share}`,
    ...(perMinute === undefined ? [] : [`${perMinute} a minute`]),
    ...(concurrency === undefined ? [] : [`${concurrency} at once`]),
  ];
  return (
    <span className="block text-muted">
      {isOnly ? "Key" : name}: {keyText(of)}
      {!isOnly && `, ${limits.join(", ")}`}
      {aside && (
        <span className="block text-warn">
          Rests until <Time value={aside.until} mode="absolute" />: {aside.reason}
        </span>
      )}
    </span>
  );
}

/** What is set, without any key. */
export function ProviderFacts({ provider }: { provider: OperatorProvider }) {
  const { settings, credentials } = provider;
  const timeouts = Object.entries(settings.timeouts_ms ?? {});
  const facts: [string, React.ReactNode][] = [
    ["Protocol", provider.protocol],
    ...(provider.former_names.length > 0
      ? [["Former names", provider.former_names.join(", ")] as [string, string]]
      : []),
    ...credentials.map(({ region, base_url, keys }): [string, React.ReactNode] => [
      region,
      <span key={region} className="block">
        {base_url && <span className="block font-mono text-meta">{base_url}</span>}
        {keys.map((key) => (
          <KeyFact key={key.name} of={key} isOnly={keys.length === 1} />
        ))}
      </span>,
    ]),
    ["Private addresses", provider.allow_private ? "Allowed" : "Refused"],
    ...(settings.media ? [["Media inputs are sent as", settings.media] as [string, string]] : []),
    ...(settings.output_origins?.length
      ? [["Origins of outputs", settings.output_origins.join(", ")] as [string, string]]
      : []),
    ...(settings.inline_max_bytes !== undefined
      ? [["Largest inline input", formatBytes(settings.inline_max_bytes)] as [string, string]]
      : []),
    ...timeouts.map(([part, ms]): [string, string] => [
      `Time-out: ${timeoutNames[part] ?? part}`,
      formatDuration(ms ?? 0),
    ]),
    ...(settings.queries_per_second !== undefined
      ? [["Job queries per second", String(settings.queries_per_second)] as [string, string]]
      : []),
    ...(settings.cut_streams !== undefined
      ? [["Streams that end early", cutStreamWords[settings.cut_streams]] as [string, string]]
      : []),
    ...(provider.updated_at
      ? [
          ["Changed", <Time key="changed" value={provider.updated_at} mode="absolute" />] as [
            string,
            React.ReactNode,
          ],
        ]
      : []),
  ];
  return (
    <Section title="Settings">
      <Facts facts={facts} />
    </Section>
  );
}
