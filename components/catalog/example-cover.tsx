import type { ReactNode } from "react";

/** What somebody asks and what comes back; models of a kind take turns. */
const talks = [
  ["Why does a harbour freeze from its edges?", "The water there is shallow and still, so it cools first."],
  ["Name a tree that keeps its needles.", "A spruce. It drops a few each year, never all at once."],
] as const;
const spoken = [
  "The ferry leaves at half past six.",
  "Snow is expected above nine hundred metres.",
  "Your table is ready by the window.",
] as const;
const voices = ["Warm and low", "Bright and quick"] as const;
const ranked = [
  ["Ferries leave every hour.", "0.92"],
  ["The museum opens at ten.", "0.07"],
] as const;

interface ExampleCoverProps {
  id: string;
  apiType: string;
}

/** An example of what a model makes that makes no pictures: its words, or how its sound looks. */
export function ExampleCover({ id, apiType }: ExampleCoverProps) {
  const turn = [...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const [asked, answered] = one(talks, turn);
  switch (apiType) {
    case "chat-completions":
      return (
        <Frame>
          <span className="max-w-[85%] self-end rounded-panel bg-accent-soft px-2.5 py-1.5 text-ink">
            {asked}
          </span>
          <span className="max-w-[90%] self-start rounded-panel border bg-panel px-2.5 py-1.5 text-ink">
            {answered}
          </span>
        </Frame>
      );
    case "text-to-speech":
      return (
        <Frame>
          <span className="text-muted">“{one(spoken, turn)}”</span>
          <Wave seed={turn} tone="text-accent" />
        </Frame>
      );
    case "audio-transcription":
      return (
        <Frame>
          <Wave seed={turn} tone="text-muted" />
          <span className="text-ink">“{one(spoken, turn)}”</span>
        </Frame>
      );
    case "voice-management":
      return (
        <Frame>
          <Wave seed={turn} tone="text-accent" />
          <span className="text-muted">A voice: {one(voices, turn).toLowerCase()}</span>
        </Frame>
      );
    case "embeddings":
      return (
        <Frame>
          <span className="text-muted">“{one(spoken, turn)}”</span>
          <span className="font-mono text-ink">[0.0123, −0.0456, 0.0789, …]</span>
        </Frame>
      );
    case "rerank":
      return (
        <Frame>
          {ranked.map(([text, score]) => (
            <span key={text} className="flex justify-between gap-3 text-ink">
              {text} <span className="tabular text-muted">{score}</span>
            </span>
          ))}
        </Frame>
      );
    default:
      return null;
  }
}

/** Whether there is an example of what an operation makes. */
export function hasExampleCover(apiType: string): boolean {
  return !/^(image|video)-/.test(apiType);
}

function one<Items extends readonly unknown[]>(items: Items, turn: number): Items[number] {
  return items[turn % items.length];
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <span
      aria-hidden
      className="absolute inset-0 flex flex-col justify-center gap-2 overflow-hidden px-5 text-meta leading-snug"
    >
      {children}
    </span>
  );
}

const bars = 56;
const step = 4;
const waveHeight = 40;

/** How a sentence looks as sound: words of different lengths with pauses between. */
function Wave({ seed, tone }: { seed: number; tone: string }) {
  const line = Array.from({ length: bars }, (_, at) => {
    const word = Math.abs(Math.sin(at / 5 + seed));
    const letter = 0.55 + 0.45 * Math.sin(at * 2.4 + seed);
    const half = Math.max(1, (word * letter * waveHeight) / 2);
    return `M${at * step + 2} ${(waveHeight / 2 - half).toFixed(1)}v${(half * 2).toFixed(1)}`;
  }).join("");
  return (
    <svg viewBox={`0 0 ${bars * step} ${waveHeight}`} className={`w-full ${tone}`} aria-hidden="true">
      <path d={line} stroke="currentColor" strokeWidth={2} strokeLinecap="round" fill="none" />
    </svg>
  );
}
