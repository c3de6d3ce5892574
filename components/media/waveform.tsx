"use client";

import { useEffect, useRef, useState } from "react";

/**
 * The samples of a sound as decorative bars; until they are loaded, or if they cannot be read, a plain bar.
 */
export function Waveform({
  audio,
  src,
  share,
  onLength,
}: {
  audio: HTMLAudioElement | null;
  src: string;
  /** The part that has been played, 0..1, for the plain bar. */
  share: number;
  /** Called with the length of the samples in seconds, for files that do not state their length. */
  onLength: (seconds: number) => void;
}) {
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
      // Without samples the plain bar stays; the audio still plays.
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
          <title>Position</title>
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
