import type { ApiType } from "#contract/catalog-constants.ts";
import { classNames } from "@/components/ui/looks";
import { ModalityIcon } from "./model-badges.tsx";
import { coverOf } from "./purpose.ts";

const width = 480;

const height = 270;

/** The example on a cover: an input and the model's answer. For speech, the spoken text; for a voice, its name. */
type Example = readonly [asked: string, answered: string];

/**
 * A model's picture for the current theme, or its example as text. Another picture at `url` has only an icon of
 * the model's kind behind it.
 */
export function ModelCover({
  id,
  modality,
  apiTypes,
  url = null,
  className,
}: {
  id: string;
  modality: string;
  apiTypes: readonly string[];
  url?: string | null;
  className?: string;
}) {
  const example = url === null ? exampleOf(id, apiTypes) : null;
  const cover = example || url !== null ? null : coverOf(id);
  const isPlain = cover === null && example === null;
  return (
    <span
      className={classNames("@container relative block aspect-video overflow-hidden bg-sunken", className)}
    >
      {cover !== null &&
        (["light", "dark"] as const).map((theme) => (
          // biome-ignore lint/performance/noImgElement: a few kilobytes each, made in their size
          <img
            key={theme}
            src={`/covers/${cover}-${theme}.webp`}
            alt=""
            width={width}
            height={height}
            loading="lazy"
            decoding="async"
            className={classNames(
              "size-full object-cover",
              theme === "light" ? "dark:hidden" : "hidden dark:block",
            )}
          />
        ))}
      {example ? (
        <CoverExample id={id} apiType={apiTypes[0] ?? ""} example={example} />
      ) : (
        <span
          className={classNames(
            "absolute grid place-items-center",
            isPlain ? "inset-0" : "bottom-2 left-2 size-7 rounded-control bg-raised",
          )}
        >
          <ModalityIcon modality={modality} />
        </span>
      )}
      {isPlain && url !== null && (
        // biome-ignore lint/performance/noImgElement: somebody else's picture, in whatever size it has
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </span>
  );
}

const ofOperation: Partial<Record<ApiType, Example>> = {
  "chat-completions": ["Which harbours freeze first?", "Shallow ones: still water cools from its edges."],
  "text-to-speech": ["", "The ferry leaves at half past six."],
  "audio-transcription": ["", "…and the last ferry leaves at half past six."],
  "voice-management": ["", "voice-harbour"],
  embeddings: ["ferry", "0.0123, −0.0456, 0.0789, 0.0311, −0.0127, …"],
  rerank: ["When is the last ferry?", "The ferry leaves at half past six."],
};

/** A text that answers a question less well. */
const rejectedText = "Tickets are sold on board.";

/** Different examples, so that models side by side do not show the same one. */
const ofModel: Record<string, Example> = {
  "svc/chat-2": ["A name for a tea shop?", "Second Steep. Or The Patient Kettle."],
  "svc/tts-a-2": ["", "Mind the gap, and the gulls."],
  "svc/tts-b-1": ["", "Good evening from the lighthouse."],
  "svc/tts-b-2": ["", "Tonight: fog, then stars."],
  "svc/asr-2": ["", "Two tickets to the island, please."],
  "svc/asr-3": ["", "Wind north-west, four to five."],
  "svc/voice-2": ["a calm voice, low and near", "voice-lantern"],
};

/** The model's example. Null for operations that show a picture instead. */
export function exampleOf(id: string, apiTypes: readonly string[]): Example | null {
  const apiType = apiTypes[0] as ApiType;
  return ofOperation[apiType] ? (ofModel[id] ?? ofOperation[apiType]) : null;
}

/**
 * An example for models that make no pictures: text, numbers, a waveform. It is decorative; the card
 * describes the purpose.
 */
function CoverExample({ id, apiType, example }: { id: string; apiType: string; example: Example }) {
  const [asked, answered] = example;
  switch (apiType as ApiType) {
    case "text-to-speech":
    case "voice-management":
      return (
        <Frame>
          {asked && <span className="truncate text-muted">“{asked}”</span>}
          <Bars id={id} className="h-12 fill-(--accent)" />
          {apiType === "voice-management" ? (
            <span className="font-mono text-muted">{answered}</span>
          ) : (
            <span className="truncate text-muted">“{answered}”</span>
          )}
        </Frame>
      );
    case "audio-transcription":
      return (
        <Frame>
          <Bars id={id} className="h-7 fill-(--muted) opacity-60" />
          <span className="line-clamp-2 text-body">“{answered}”</span>
        </Frame>
      );
    case "embeddings":
      return (
        <Frame>
          <span className="text-muted">“{asked}”</span>
          <span className="font-mono">[{answered}]</span>
        </Frame>
      );
    case "rerank":
      return (
        <Frame>
          <span className="truncate text-muted">“{asked}”</span>
          <span className="flex gap-2">
            <span className="tabular">0.92</span>
            <span className="truncate">{answered}</span>
          </span>
          <span className="flex gap-2 text-muted">
            <span className="tabular">0.07</span>
            <span className="truncate">{rejectedText}</span>
          </span>
        </Frame>
      );
    default:
      return (
        <Frame>
          <span className="max-w-4/5 self-end rounded-panel bg-(--accent-soft) px-2.5 py-1">{asked}</span>
          <span className="max-w-4/5 self-start rounded-panel border bg-panel px-2.5 py-1">{answered}</span>
        </Frame>
      );
  }
}

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <span
      aria-hidden
      lang="en"
      className="absolute inset-0 flex flex-col justify-center gap-2 px-4 text-table leading-snug @max-3xs:gap-1 @max-3xs:px-2 @max-3xs:text-[11px]"
    >
      {children}
    </span>
  );
}

const barCount = 56;

/** A waveform for a model, the same at every visit. */
function Bars({ id, className }: { id: string; className: string }) {
  let seed = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  const heights = Array.from({ length: barCount }, (_, at) => {
    seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
    // Loud and quiet parts alternate, as in speech.
    const loudness = Math.abs(Math.sin((at / barCount) * Math.PI * (3 + (id.length % 3))));
    return 8 + 92 * loudness * (0.35 + (0.65 * seed) / 2 ** 32);
  });
  return (
    <svg
      viewBox={`0 0 ${barCount * 4} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={classNames("w-full", className)}
    >
      {heights.map((height, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have but their place
        <rect key={at} x={at * 4} y={50 - height / 2} width="2" height={height} rx="1" />
      ))}
    </svg>
  );
}
