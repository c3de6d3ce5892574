"use client";

import { Pause, Play } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { LazyMediaFailure, useMediaAddress } from "./lazy-media-failure.tsx";

interface AudioPlayerProps {
  src: string;
  title: string;
}

/**
 * Can play at once. The waveform appears when its code and the samples have loaded. Arrow keys seek by 1 s,
 * Page keys by 10 s.
 */
export function AudioPlayer({ src, title }: AudioPlayerProps) {
  const t = useWords("media");
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const [playing, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [length, setLength] = useState(0);
  const file = useMediaAddress(src);
  const resumeAfterDrag = useRef(false);
  // The waveform reloads the element, which makes its length unknown for a moment, so the known length is
  // kept.
  const noteLength = (seconds: number) => setLength((known) => finite(seconds) || known);
  const latestOnFailed = useRef(file.element.onError);
  latestOnFailed.current = file.element.onError;
  // React creates the element before it adds listeners, so a file in memory may already have loaded or
  // failed.
  useEffect(() => {
    if (!audio) return;
    setLength((known) => finite(audio.duration) || known);
    if (audio.error) latestOnFailed.current();
  }, [audio]);

  const seek = (to: number) => {
    if (!audio || length === 0) return;
    audio.currentTime = Math.min(length, Math.max(0, to));
    setSeconds(audio.currentTime);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const jumps: Record<string, number> = {
      ArrowLeft: seconds - 1,
      ArrowDown: seconds - 1,
      ArrowRight: seconds + 1,
      ArrowUp: seconds + 1,
      PageDown: seconds - 10,
      PageUp: seconds + 10,
      Home: 0,
      End: length,
    };
    const to = jumps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    seek(to);
  };
  const toggle = () => (audio?.paused ? void audio.play().catch(ignoreInterruption) : audio?.pause());

  if (file.failed) return <LazyMediaFailure title={title} {...file} />;
  return (
    <fieldset className="min-w-0 rounded-panel border border-line bg-raised p-3" aria-label={title}>
      {/* biome-ignore lint/a11y/useMediaCaption: spoken text is shown beside the player where it is known */}
      <audio
        ref={setAudio}
        src={file.address}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => setSeconds(event.currentTarget.currentTime)}
        onDurationChange={(event) => noteLength(event.currentTarget.duration)}
        onLoadedMetadata={(event) => noteLength(event.currentTarget.duration)}
        onCanPlay={(event) => noteLength(event.currentTarget.duration)}
        onError={file.element.onError}
      />
      <div className="flex items-center gap-3">
        <IconButton
          label={playing ? t("pauseTitle", { title }) : t("playTitle", { title })}
          icon={playing ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
          onClick={toggle}
        />
        <div className="relative h-14 min-w-0 flex-1 rounded-control has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-2">
          <Waveform
            audio={audio}
            src={file.address}
            share={length > 0 ? seconds / length : 0}
            onLength={noteLength}
          />
          <input
            type="range"
            min={0}
            max={length || 1}
            step="any"
            value={seconds}
            disabled={length === 0}
            aria-label={t("positionInTitle", { title })}
            aria-valuetext={t("timeOfLength", { time: clock(seconds), length: clock(length) })}
            onChange={(event) => seek(Number(event.target.value))}
            onKeyDown={onKeyDown}
            onPointerDown={() => {
              resumeAfterDrag.current = audio ? !audio.paused : false;
              audio?.pause();
            }}
            onPointerUp={() => {
              if (resumeAfterDrag.current) toggle();
            }}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
        </div>
        <span className="shrink-0 text-meta text-muted tabular-nums">
          {clock(seconds)} / {clock(length)}
        </span>
      </div>
    </fieldset>
  );
}

/**
 * The samples of a sound as decorative bars. A plain bar until they are loaded, or if they cannot be read.
 */
function Waveform({
  audio,
  src,
  share,
  onLength,
}: {
  audio: HTMLAudioElement | null;
  src: string;
  /** The played part, 0..1, for the plain bar. */
  share: number;
  /** Called with the length of the samples in seconds, for files that do not state their length. */
  onLength: (seconds: number) => void;
}) {
  const t = useWords("media");
  const container = useRef<HTMLDivElement>(null);
  const [drawnSrc, setDrawnSrc] = useState<string | null>(null);
  const drawn = drawnSrc === src;
  const latestOnLength = useRef(onLength);
  latestOnLength.current = onLength;

  useEffect(() => {
    const element = container.current;
    if (!audio || !element) return;
    let gone = false;
    let destroy = () => {};
    void import("wavesurfer.js").then(({ default: WaveSurfer }) => {
      if (gone) return;
      const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
      const colours = getComputedStyle(element);
      const surfer = WaveSurfer.create({
        container: element,
        media: audio,
        height: element.clientHeight || 56,
        barWidth: 2,
        barGap: 1,
        barRadius: 1,
        cursorWidth: 1,
        interact: false,
        normalize: true,
        waveColor: colours.getPropertyValue("caret-color"),
        progressColor: colours.getPropertyValue("color"),
        ...(nonce && { cspNonce: nonce }),
      });
      destroy = () => surfer.destroy();
      surfer.on("ready", (seconds) => {
        setDrawnSrc(src);
        latestOnLength.current(seconds);
      });
      // Without samples the plain bar stays, and the audio still plays.
      surfer.on("error", () => setDrawnSrc(null));
    });
    return () => {
      gone = true;
      destroy();
    };
  }, [audio, src]);

  return (
    <>
      {!drawn && (
        <svg aria-hidden className="absolute inset-0 size-full text-accent">
          <title>{t("position")}</title>
          <rect x="0" y="26" width="100%" height="4" rx="2" className="fill-current opacity-25" />
          <rect x="0" y="26" width={`${share * 100}%`} height="4" rx="2" className="fill-current" />
        </svg>
      )}
      <div
        ref={container}
        aria-hidden
        className={`absolute inset-0 text-accent caret-faint ${drawn ? "" : "invisible"}`}
      />
    </>
  );
}

/** Pausing rejects a pending play(). For a file that cannot be loaded, the `error` event fires as well. */
function ignoreInterruption(): void {}

function finite(seconds: number): number {
  return Number.isFinite(seconds) ? seconds : 0;
}

/** `1:05`, with tenths below ten seconds. */
function clock(seconds: number): string {
  if (seconds < 10) return `0:0${seconds.toFixed(1)}`;
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
