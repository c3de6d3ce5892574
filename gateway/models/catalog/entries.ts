import { adultAnimate } from "./entries/adult-animate.ts";
import { adultEdit } from "./entries/adult-edit.ts";
import { adultI2v1 } from "./entries/adult-i2v-1.ts";
import { adultI2v2 } from "./entries/adult-i2v-2.ts";
import { adultI2v3 } from "./entries/adult-i2v-3.ts";
import { adultImg1 } from "./entries/adult-img-1.ts";
import { adultImg2 } from "./entries/adult-img-2.ts";
import { adultUpscale } from "./entries/adult-upscale.ts";
import { adultVideoEntries } from "./entries/adult-vid.ts";
import { chat1 } from "./entries/chat-1.ts";
import { chat2 } from "./entries/chat-2.ts";
import { embeddings } from "./entries/embeddings.ts";
import { imageEntries } from "./entries/img-gen-a.ts";
import { imgGenB } from "./entries/img-gen-b.ts";
import { rerank } from "./entries/rerank.ts";
import { speechEntries, transcriptionEntries } from "./entries/speech.ts";
import { swapEntries } from "./entries/swap.ts";
import { vidEdit } from "./entries/vid-edit.ts";
import { vidR2v } from "./entries/vid-r2v.ts";
import { vidT2v } from "./entries/vid-t2v.ts";
import { voice1 } from "./entries/voice-1.ts";
import { voice2 } from "./entries/voice-2.ts";
import type { Entry, EntrySource } from "./entry.ts";

/** Every entry of the specification, in the order it is published. */
const entries: readonly Entry[] = [
  chat1,
  chat2,
  ...speechEntries,
  ...transcriptionEntries,
  voice1,
  voice2,
  ...imageEntries,
  imgGenB,
  vidR2v,
  vidT2v,
  vidEdit,
  ...adultVideoEntries,
  adultI2v1,
  adultI2v2,
  adultI2v3,
  adultImg1,
  adultImg2,
  adultEdit,
  ...swapEntries,
  adultAnimate,
  adultUpscale,
];

/** The entries that ship with Gatehouse. */
export const ownEntries: EntrySource = { load: () => entries };

/** Templates for operators' entries: the specification's, and one for each kind that it lacks. */
export const templateEntries: readonly Entry[] = [...entries, embeddings, rerank];
