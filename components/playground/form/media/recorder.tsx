"use client";

import { Mic, Square } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { recordingToWav } from "@/lib/browser/wav";

interface RecorderProps {
  onRecorded: (file: File) => void;
  onClose: () => void;
}

type State =
  | { step: "ready"; refusal: string | null }
  | { step: "recording"; seconds: number }
  | { step: "done"; file: File; url: string };

/** Records from the microphone, plays the recording, and returns a WAV file. */
export function Recorder({ onRecorded, onClose }: RecorderProps) {
  const t = useWords("inputForm");
  const [state, setState] = useState<State>({ step: "ready", refusal: null });
  const recorder = useRef<MediaRecorder | null>(null);

  useEffect(() => () => release(recorder.current), []);
  const recording = state.step === "recording";
  useEffect(() => {
    if (!recording) return;
    const timer = setInterval(
      () => setState((now) => (now.step === "recording" ? { ...now, seconds: now.seconds + 1 } : now)),
      1000,
    );
    return () => clearInterval(timer);
  }, [recording]);
  const url = state.step === "done" ? state.url : null;
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);

  const start = async () => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const parts: Blob[] = [];
      const media = new MediaRecorder(stream);
      recorder.current = media;
      media.ondataavailable = (event) => parts.push(event.data);
      media.onstop = async () => {
        release(media);
        try {
          const file = await recordingToWav(new Blob(parts, { type: media.mimeType }), "recording.wav");
          setState({ step: "done", file, url: URL.createObjectURL(file) });
        } catch {
          setState({ step: "ready", refusal: t("theRecordingCouldNotBeRead") });
        }
      };
      media.start();
      setState({ step: "recording", seconds: 0 });
    } catch {
      setState({
        step: "ready",
        refusal: t("nothingWasRecorded"),
      });
    }
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("recordFromTheMicrophone")}
      description={t("theRecordingIsNotUploaded")}
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>{t("cancel")}</Button>
          {state.step === "done" && (
            <Button variant="primary" onClick={() => onRecorded(state.file)}>
              {t("useRecording")}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col items-start gap-3">
        {state.step === "recording" ? (
          <Button
            variant="danger"
            icon={<Square size={14} aria-hidden />}
            onClick={() => recorder.current?.stop()}
          >
            {t("stopRecording")}
          </Button>
        ) : (
          <Button icon={<Mic size={14} aria-hidden />} onClick={() => void start()}>
            {state.step === "done" ? t("recordAgain") : t("startRecording")}
          </Button>
        )}
        {state.step === "recording" && (
          <p className="tabular text-muted">{t("recordingSecondsS", { seconds: state.seconds })}</p>
        )}
        {state.step === "done" && (
          // biome-ignore lint/a11y/useMediaCaption: the user's own recording
          <audio controls src={state.url} aria-label={t("yourRecording")} className="w-full" />
        )}
        {state.step === "ready" && state.refusal && (
          <p role="alert" className="text-bad">
            {state.refusal}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function release(recorder: MediaRecorder | null): void {
  for (const track of recorder?.stream.getTracks() ?? []) track.stop();
}
