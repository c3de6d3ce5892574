import { adultEdit, adultImg1, adultImg2 } from "./entries/adult-images.ts";
import {
  adultAnimate,
  adultI2v1,
  adultI2v2,
  adultI2v3,
  adultUpscale,
  adultVideoEntries,
} from "./entries/adult-videos.ts";
import { chat1, chat2 } from "./entries/chat.ts";
import { imageEntries, imgGenB, swapEntries } from "./entries/images.ts";
import { embeddings, rerank } from "./entries/retrieval.ts";
import { speechEntries, transcriptionEntries, voice1, voice2 } from "./entries/speech.ts";
import { vidEdit, vidR2v, vidT2v } from "./entries/videos.ts";
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
