"use client";

import { Download, Pause, Play } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { IconButton } from "@/components/ui/button";
import { Waveform } from "./waveform.tsx";

interface AudioPlayerProps {
  src: string;
  title: string;
  /** Name of the file when it is saved; no save button without it. */
  downloadName?: string;
}

/** Plays at once; the waveform is drawn when its code and the samples have arrived. Arrows seek by 1 s, Page keys by 10 s. */
export function AudioPlayer({ src, title, downloadName }: AudioPlayerProps) {
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const [playing, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [length, setLength] = useState(0);
  const [broken, setBroken] = useState(false);
  const resumeAfterDrag = useRef(false);
  // The waveform loads the element anew, which makes its length unknown for a moment: the known one stays.
  const noteLength = (element: HTMLAudioElement) => setLength((known) => finite(element.duration) || known);

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
  const toggle = () => (audio?.paused ? void audio.play().catch(() => setBroken(true)) : audio?.pause());

  return (
    <fieldset className="min-w-0 rounded-panel border border-line bg-raised p-3" aria-label={title}>
      {/* biome-ignore lint/a11y/useMediaCaption: spoken text is shown beside the player where it is known */}
      <audio
        ref={setAudio}
        src={src}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => setSeconds(event.currentTarget.currentTime)}
        onDurationChange={(event) => noteLength(event.currentTarget)}
        onLoadedMetadata={(event) => noteLength(event.currentTarget)}
        onCanPlay={(event) => noteLength(event.currentTarget)}
        onError={() => setBroken(true)}
      />
      <div className="flex items-center gap-3">
        <IconButton
          label={playing ? `Pause ${title}` : `Play ${title}`}
          icon={playing ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
          onClick={toggle}
        />
        <div className="relative h-14 min-w-0 flex-1 rounded-control has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-2">
          <Waveform audio={audio} src={src} share={length > 0 ? seconds / length : 0} />
          <input
            type="range"
            min={0}
            max={length || 1}
            step="any"
            value={seconds}
            disabled={length === 0}
            aria-label={`Position in ${title}`}
            aria-valuetext={`${clock(seconds)} of ${clock(length)}`}
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
        {downloadName && (
          <a
            href={src}
            download={downloadName}
            aria-label={`Save ${downloadName}`}
            className="inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-sunken hover:text-ink"
          >
            <Download size={16} aria-hidden />
          </a>
        )}
      </div>
      {broken && (
        <p role="alert" className="mt-2 text-bad text-meta">
          The sound cannot be played. When its link has expired, reload the page.
        </p>
      )}
    </fieldset>
  );
}

function finite(seconds: number): number {
  return Number.isFinite(seconds) ? seconds : 0;
}

/** `1:05`, with tenths below ten seconds. */
function clock(seconds: number): string {
  if (seconds < 10) return `0:0${seconds.toFixed(1)}`;
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
