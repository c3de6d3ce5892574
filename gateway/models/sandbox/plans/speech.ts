import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { badInput } from "../failure.ts";
import type { SpeechTask } from "../jobs/spec.ts";
import { presetVoice, type SpeechVoice } from "../speech/voice.ts";
import { textField } from "./fields.ts";

const defaultPreset = "default";

/** The job of a text-to-speech request in the given voice. */
export function planSpeech(request: ProviderRequest, voice: SpeechVoice): SpeechTask {
  const text = textField(request, "input");
  if (!text.trim()) throw badInput("input must have some text to speak.", "input");
  return { kind: "speech", text, voice };
}

/** The voice of a preset name; every name is valid. */
export function presetOf(request: ProviderRequest): SpeechVoice {
  return presetVoice(textField(request, "voice") || defaultPreset);
}
