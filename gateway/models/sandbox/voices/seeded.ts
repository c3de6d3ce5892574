import type { SpeechVoice } from "../speech/voice.ts";

/** A voice of the sandbox, enrolled or built in. */
export interface KnownVoice {
  id: string;
  targetModel: string | null;
  createdAt: Date;
  voice: SpeechVoice;
  /** What was measured or described when it was created. */
  details: Record<string, unknown>;
}

const since = new Date("2026-01-01T00:00:00Z");

/** Two voices that every account has from the start. They cannot be deleted. */
export const seededVoices: readonly KnownVoice[] = [
  {
    id: "sandbox-voice-ada",
    targetModel: null,
    createdAt: since,
    voice: { engine: "slt", pitchHertz: 205, stretch: 1 },
    details: { seeded: true, pitch_hz: 205 },
  },
  {
    id: "sandbox-voice-kai",
    targetModel: null,
    createdAt: since,
    voice: { engine: "kal16", pitchHertz: 112, stretch: 1.05 },
    details: { seeded: true, pitch_hz: 112 },
  },
];

export function seededVoice(id: string): KnownVoice | undefined {
  return seededVoices.find((voice) => voice.id === id);
}
